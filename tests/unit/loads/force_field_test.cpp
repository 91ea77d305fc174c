#include "scree/loads/force_field.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

const std::vector<Material> kMaterials = {{"glass", 2500.0}, {"steel", 7850.0}};

Store grains() {
  Store store;
  append_grain(store, {.id = 4,
                       .position = Vec3(1, 2, 3),
                       .velocity = Vec3(4, 5, 6),
                       .shape = Sphere{0.5},
                       .density = 2500.0});
  append_grain(store, {.id = 5, .shape = Sphere{0.1}, .density = 7850.0, .material = 1});
  return store;
}

ForceField field(const ForceFieldSpec& spec) {
  return ForceField(spec, kMaterials);
}

TEST(ForceField, KnowsTheStateOfTheGrain) {
  const Store store = grains();
  const ForceField all = field({.name = "all",
                                .force = {"x + 10*vx", "y + 10*vy", "z + 10*vz"},
                                .torque = {"radius", "mass", "t"}});
  Vec6 expected;
  expected << 41, 52, 63, 0.5, store.mass[0], 8;
  EXPECT_EQ(all.on(store, 0, 8.0), expected);
}

// The torque k (a . z) a x z turns an axis a towards z or -z, whichever is nearer: here by k sin(w)
// cos(w) about y.
TEST(ForceField, KnowsTheAxisOfTheGrain) {
  Store store = grains();
  const double angle = 0.3;
  store.orientation[0] = Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()));
  const ForceField align = field({.name = "align", .torque = {"0.1*az*ay", "-0.1*az*ax", "0"}});
  const Vec6 torque = align.on(store, 0, 0.0);
  EXPECT_NEAR(torque[4], -0.1 * std::sin(angle) * std::cos(angle), 1e-16);
  EXPECT_EQ(torque[3], 0.0);
}

// The radial field of paper 001, sections 4.2 and 4.4, which is 0 at the origin: |x| - sin|x| over
// |x|^2, times x.
TEST(ForceField, DrawsToTheOriginAsThePaperHasIt) {
  Store store = grains();
  FormulaTexts force(3);
  for (int k = 0; k < 3; ++k) {
    const std::string r = "sqrt(x^2 + y^2 + z^2)";
    force[k] = fmt::format("{0} > 1e-6 ? -{1}*({0} - sin({0}))/(x^2 + y^2 + z^2) : 0", r, "xyz"[k]);
  }
  const ForceField well = field({.name = "well", .force = force});
  const Vec3 x = store.position[0];
  const double r = x.norm();
  const Vec3 expected = -x * (r - std::sin(r)) / (r * r);
  EXPECT_LT((well.on(store, 0, 0.0).head<3>() - expected).norm(), 1e-15);
  EXPECT_EQ(well.on(store, 1, 0.0), Vec6::Zero()) << "at the origin";
}

TEST(ForceField, IsPerBodyVolumeOrMass) {
  const Store store = grains();
  const double volume = std::numbers::pi / 6.0;
  for (const auto& [per, amount] :
       {std::pair{ForcePer::body, 1.0}, std::pair{ForcePer::volume, volume},
        std::pair{ForcePer::mass, 2500.0 * volume}}) {
    const Vec6 load =
        field({.force = {"2", "0", "0"}, .torque = {"0", "0", "3"}, .per = per}).on(store, 0, 0.0);
    EXPECT_NEAR(load[0], 2.0 * amount, 1e-12 * amount) << to_string(per);
    EXPECT_NEAR(load[5], 3.0 * amount, 1e-12 * amount) << to_string(per);
  }
}

TEST(ForceField, IsFeltByItsMaterialsOnly) {
  const Store store = grains();
  const ForceField magnet = field({.force = {"0", "0", "1"}, .materials = {"steel"}});
  EXPECT_EQ(magnet.on(store, 0, 0.0), Vec6::Zero());
  EXPECT_EQ(magnet.on(store, 1, 0.0)[2], 1.0);
  EXPECT_THROW(field({.materials = {"wood"}}), InputError);
}

TEST(ForceField, WithoutAFiniteValueIsRefusedByNameAndPlace) {
  const ForceField wrong = field({.name = "pull", .force = {"0", "1/(x - 1)", "0"}});
  try {
    wrong.on(grains(), 0, 0.25);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "forces.pull.force: \"1/(x - 1)\" is inf for body 4 at (1, 2, 3) m with velocity (4, 5, "
        "6) m/s, at 0.25 s; it must have a finite value wherever bodies come, as \"x > 1e-6 ? 1/x "
        ": 0\" has");
  }
}

TEST(ForceField, FaultsOfTheFileAreItsPlace) {
  const auto fault = [](std::string_view text) {
    ForceFieldSpec spec;
    try {
      read_yaml(text, "c.yaml", {}, spec);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault("force: [-2e-6*x, 0, 0]"), "");
  EXPECT_EQ(fault("torque: [0, 0, sin(t)]"), "");
  EXPECT_EQ(fault("{}").find("c.yaml:1: force: is missing, and there is no torque"), 0U);
  EXPECT_EQ(
      fault("force: [0, 0, sqrt(q)]").find("c.yaml:1: force: \"sqrt(q)\": \"q\" at character 6"),
      0U);
  EXPECT_NE(fault("{force: [0, 0, 1], per: area}"), "");
}

}  // namespace
}  // namespace scree
