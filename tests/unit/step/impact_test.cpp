#include "scree/step/impact.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scree {
namespace {

/// Three grains in a row on a tool; contacts 5-7, 7-9 and 9 with the tool.
struct Row {
  Row() {
    append_tool(store, {.id = kFirstToolId, .shape = Plane{}});
    for (const std::int64_t id : {5, 7, 9}) {
      append_grain(store, {.id = id, .shape = Sphere{0.1}, .density = 1000.0});
    }
    add(5, 7);
    add(7, 9);
    add(9, kFirstToolId);
    result.impulse = petsc::make_vector(PETSC_COMM_SELF, problem.cones.rows());
    result.end_velocity = petsc::make_vector(PETSC_COMM_SELF, 18);
  }
  void add(std::int64_t a, std::int64_t b) {
    contacts.push_back({.normal = Vec3::UnitZ(),
                        .gap = 0.0,
                        .a = 1,
                        .b = 0,
                        .arm_a = Vec3::Zero(),
                        .arm_b = Vec3::Zero(),
                        .key = {.id_a = a, .id_b = b}});
    problem.cones.append(contacts.size() == 2 ? 1 : 3, 0.3, FrictionLaw::coulomb);
  }
  std::string fault() const { return first_not_finite(store, contacts, problem, result); }

  Store store;
  std::vector<Contact> contacts;
  ContactProblem problem;
  ImpactResult result;
};

TEST(FirstNotFinite, FindsNothingInFiniteNumbers) {
  Row row;
  petsc::View(row.result.impulse.get())[0] = 1e300;
  EXPECT_EQ(row.fault(), "");
}

TEST(FirstNotFinite, NamesTheContactOrTheBody) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Row row;
    petsc::View(row.result.end_velocity.get())[6 + 4] = bad;
    EXPECT_EQ(row.fault(), "the velocity of body 7 is not finite");
    petsc::View(row.result.impulse.get())[6] = bad;  // the contact with the tool
    EXPECT_EQ(row.fault(), "the impulse between body 9 and tool 0 is not finite");
    petsc::View(row.result.impulse.get())[3] = bad;
    EXPECT_EQ(row.fault(), "the impulse between body 7 and body 9 is not finite");
  }
}

}  // namespace
}  // namespace scree
