#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "scree/contact/contact_list.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/problem/assemble.hpp"

namespace scree {
namespace {

constexpr double kRadius = 0.1;

/// Three balls in a row, which overlap a little: two of stone, and one of rubber, which resists
/// rolling.
struct RowOfBalls {
  RowOfBalls() {
    for (std::int64_t id = 0; id < 3; ++id) {
      append_grain(store, {.id = id,
                           .position = Vec3(1.99 * kRadius * static_cast<double>(id), 0, 0),
                           .velocity = Vec3(0.1, -0.2, 0.3) * static_cast<double>(id),
                           .angular_velocity = Vec3(1, 2, 3),
                           .shape = Sphere{kRadius},
                           .density = 1000.0,
                           .material = id == 2 ? 1 : 0});
    }
  }

  /// The problem of the first @p count contacts, @p of_balls or told to be of any bodies.
  FormulatedStep formulated(std::size_t count, bool of_balls) const {
    const std::vector<Material> materials{{"stone", 1000.0, {.young_modulus = of_stone}},
                                          {"rubber", 1000.0, {.young_modulus = 1e6}}};
    const std::vector<FrictionPair> pairs{
        {.between = {"stone", "stone"}, .mu = 0.3, .restitution = of_stone > 0.0 ? 0.5 : 0.0},
        {.between = {"stone", "rubber"}, .mu = 0.4, .rolling = 1e-3}};
    std::vector<Contact> contacts;
    std::vector<ContactHistory> histories;
    for (std::int32_t b = 1; b <= static_cast<std::int32_t>(count); ++b) {
      contacts.push_back({.normal = -Vec3::UnitX(),
                          .gap = -0.01 * kRadius,
                          .a = b - 1,
                          .b = b,
                          .arm_a = Vec3(0.995 * kRadius, 0, 0),
                          .arm_b = Vec3(-0.995 * kRadius, 0, 0),
                          .key = {.id_a = b - 1, .id_b = b}});
      histories.push_back({.force = Vec3(0.5, 1.0, -2.0), .touched = true});
    }
    petsc::Vector v_free = petsc::make_vector(PETSC_COMM_SELF, 18);
    {
      const petsc::View v(v_free.get());
      for (std::size_t k = 0; k < 18; ++k) v[k] = 0.1 * static_cast<double>(k % 5);
    }
    std::vector<BodyInertia> inertias;
    for (std::int32_t slot = 0; slot < 3; ++slot) inertias.push_back(own_inertia(store, slot));
    return assemble(PETSC_COMM_SELF, {store, {3, 0, 3, {0, 1, 2}}, inertias, std::move(v_free)},
                    ContactList(contacts, of_balls), std::span<const ContactHistory>(histories),
                    ContactLaws(materials, pairs), {.dt = 1e-3, .recovery_speed = 0.1});
  }

  Store store;
  double of_stone = 1e8;  ///< Young's modulus, Pa; 0: rigid
};

/// Springs that resist sliding alone go in one pass with their block, unless another contact of the
/// block asks for more: its rows are the same.
TEST(ContactRows, AreTheSameBesideAnyOtherContact) {
  const RowOfBalls balls;
  for (const bool of_balls : {true, false}) {
    const FormulatedStep alone = balls.formulated(1, of_balls);
    const FormulatedStep beside = balls.formulated(2, of_balls);
    ASSERT_EQ(beside.problem.cones.rows(), 3U + 5U);
    const petsc::ConstView a(alone.problem.r.get());
    const petsc::ConstView b(beside.problem.r.get());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(a[k], b[k]) << k;
      EXPECT_EQ(alone.problem.compliance_of(k), beside.problem.compliance_of(k)) << k;
      EXPECT_GT(alone.problem.compliance_of(k), 0.0);
      // of balls and of any bodies scales come by different ways
      EXPECT_NEAR(cone_scales(alone.problem)[0], cone_scales(beside.problem)[0],
                  1e-14 * cone_scales(alone.problem)[0]);
    }
    EXPECT_EQ(alone.terms[0].gap_bias, beside.terms[0].gap_bias);
    EXPECT_TRUE(beside.impacts.empty()) << "compliant pairs have none";
  }
  EXPECT_NEAR(cone_scales(balls.formulated(2, true).problem)[0],
              cone_scales(balls.formulated(2, false).problem)[0], 1e-12);
}

TEST(ContactRows, OfRigidContactsAreTheSameBesideAnyOtherContact) {
  RowOfBalls balls;
  balls.of_stone = 0.0;
  for (const bool of_balls : {true, false}) {
    const FormulatedStep alone = balls.formulated(1, of_balls);
    const FormulatedStep beside = balls.formulated(2, of_balls);
    const petsc::ConstView a(alone.problem.r.get());
    const petsc::ConstView b(beside.problem.r.get());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(a[k], b[k]) << k;
      EXPECT_EQ(beside.problem.compliance_of(k), 0.0) << k;
    }
    EXPECT_EQ(alone.problem.compliance_of(0), 0.0);
    EXPECT_TRUE(alone.terms[0].touched);
    EXPECT_FALSE(alone.terms[0].compliant);
    EXPECT_FALSE(beside.terms[0].compliant);
    EXPECT_TRUE(beside.terms[1].compliant);
  }
}

}  // namespace
}  // namespace scree
