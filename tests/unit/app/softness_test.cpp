#include "app/checks/softness.hpp"

#include <gtest/gtest.h>

#include "app/run/starting_grains.hpp"
#include "scree/app/commands/check_command.hpp"

namespace scree {
namespace {

/// Two balls of 10 mm and 10.89 g, the lower on the floor at z = 0, the upper reaching to 1.02 m.
/// Their box is 0.12 m by 0.02 m, so that 0.2137 N weigh 89.0 Pa, on (20 mm)^2 0.0356 N.
constexpr std::string_view kSoftScene = R"(time: {dt: 1e-3, end: 0.1}
gravity: [0, 0, -9.81]
materials:
  gravel: {density: 2600}
  steel: {density: 7850}
friction:
  - {between: [gravel, gravel], mu: 0.4, stiffness: 1e4}
  - {between: [steel, gravel], mu: 0.2, rolling: 1e-3}
bodies:
  bed:
    material: gravel
    radii: {type: list, values: [0.01]}
    place: {type: points, positions: [[0, 0, 0.01], [0.1, 0, 1.01]]}
tools:
  floor: {material: steel, shape: {type: plane}, normal: [0, 0, 1]}
)";

const std::string kStiffness = "gravel-gravel: k_n 1e+04 N/m, k_t 8.24e+03 N/m";

std::vector<std::string> softness(const Overrides& overrides) {
  const RunConfig config = read_run_config(kSoftScene, "r.yaml", overrides);
  return describe_softness(MPI_COMM_WORLD, config, starting_grains(MPI_COMM_WORLD, config));
}

/// m = 5.445 g for two balls: T = pi sqrt(m/k) = 2.318 ms. A fall of 1.02 m ends at 4.474 m/s, and
/// v sqrt(m/k) = 3.30 mm, 33 times a hundredth of the radius, which 33^2 times the stiffness makes
/// so, with a duration of pi 0.1 mm/(4.474 m/s) = 70 us. The restitution is (1 + q^2)^(-pi/(2 atan
/// q)) at q = 1.355.
TEST(Softness, OfAGivenStiffness) {
  EXPECT_EQ(
      softness({}),
      (std::vector<std::string>{
          kStiffness +
          ", overlap 0.036 % of the radius under a grain's share of the weight (0.036 N; chains of "
          "force bear several times that), at most 33 % after a fall of 1 m (1 % takes 1.1e+03 "
          "times the stiffness and a dt of 7e-06 s); contacts last 0.0023 s, a step is 0.43 of "
          "that; impacts part at 0.17 of their speed"}));
}

TEST(Softness, OfPairsOfTheDefaultAndNotOfThoseThatDoNotMeet) {
  EXPECT_EQ(softness({"friction.0={between: default, mu: 0.4, stiffness: 1e4}"}), softness({}));
  EXPECT_TRUE(softness({"friction.0={between: [gravel, gravel], contact: none}"}).empty());
}

TEST(Softness, RigidPairsHaveNone) {
  EXPECT_TRUE(softness({"friction.0.stiffness=0"}).empty());
}

/// E* = E/(1 - nu^2) = 1.0989e7 Pa for E = 1e7 Pa against rigid steel, R* = 10 mm: 1 N makes
/// (0.75/(1.0989e7 0.1))^(2/3) = 7.75e-5 m, k = 1.29e4 N/m. The ball's mass is 10.89 g, and its
/// fall ends at 4.474 m/s: the contact lasts 2.94 times its 2.04 mm over that. Two balls have E*/2
/// and R*/2: 2^(2/3) 2^(1/3) = 2 times the overlap.
TEST(Softness, OfYoungsModulus) {
  const std::vector<std::string> lines =
      softness({"friction.0.stiffness=0", "materials.gravel.young_modulus=1e7"});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].substr(0, 61),
            "gravel-gravel: k_n 6.45e+03 N/m, k_t 5.31e+03 N/m at 1 N, ove");
  EXPECT_EQ(lines[1].substr(0, 32), "steel-gravel: k_n 1.29e+04 N/m, ");
  EXPECT_NE(lines[1].find("contacts last 0.0013 s, a step is 0.75 of that"), std::string::npos)
      << lines[1];
}

/// By Hertz, beyond the reference force: 0.036 N make (0.75 0.0356/(1.0989e7 0.1))^(2/3) = 8.4e-6 m
/// of 10 mm. The fall spends m v^2/2 = 0.109 J: (15/16 m v^2/(E* sqrt(R*)))^(2/5) = 2.0 mm. d goes
/// with E^(-2/5): 20^(5/2) times the modulus, found in steps of a hundredth
TEST(Softness, ByHertzAnImpactGoesAsDeepAsWithoutDamping) {
  const std::vector<std::string> lines =
      softness({"friction.0.stiffness=0", "materials.gravel.young_modulus=1e7", "contact.law=hertz",
                "contact.reference_force=1e-3"});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(
      lines[1].find("overlap 0.084 % of the radius under a grain's share of the weight (0.036 N;"),
      std::string::npos)
      << lines[1];
  EXPECT_NE(lines[1].find(", at most 20 % after a fall of 1 m (1 % takes 1.9e+03 times"),
            std::string::npos)
      << lines[1];
}

/// q = 1.355 is longer than what 0.5 can be had with: theta is at least 1 - 1/(2 q^2) = 0.728, and
/// e 0.24. 0.2 can be had. With theta 1/2 e is 0.48 at dt/T = 0.29, of 2.318 ms.
TEST(Softness, OfARestitution) {
  const std::vector<std::string> lines = softness({"friction.0.restitution=0.2"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("; impacts part at 0.2 of their speed"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[0].find("the most"), std::string::npos) << lines[0];
  const std::string far = softness({"friction.0.restitution=0.5"})[0];
  EXPECT_NE(far.find("; impacts part at 0.24 of their speed, the most at this dt; a restitution of "
                     "0.5 needs a dt of 0.00066 s"),
            std::string::npos)
      << far;
}

/// By Hertz a contact lasts 2.94 times its deepest overlap, 2.04 mm, over 4.474 m/s: 1.34 ms, where
/// that of the reference force, 1 mN, would last 9.1 ms.
TEST(Softness, ByHertzContactsLastAsTheFallHasThem) {
  const std::vector<std::string> lines =
      softness({"friction.0.stiffness=0", "materials.gravel.young_modulus=1e7", "time.dt=1.34e-4",
                "contact.law=hertz", "contact.reference_force=1e-3", "friction.1.restitution=0.7"});
  EXPECT_NE(lines[1].find("contacts last 0.0013 s, a step is 0.1 of that; impacts part at 0.7"),
            std::string::npos)
      << lines[1];
}

TEST(Softness, StepsThatAreLongerThanContactsLastAreTold) {
  const auto is_told = [](const char* dt) {
    const std::string words =
        softness({"friction.0.stiffness=0", "materials.gravel.young_modulus=1e7", Override(dt)})[1];
    return words.find(
               " (forces on tools that move in beds come out too large: docs/model.md); imp") !=
           std::string::npos;
  };
  EXPECT_FALSE(is_told("time.dt=1.3e-3"));
  EXPECT_TRUE(is_told("time.dt=1.4e-3"));
}

TEST(Softness, WithoutGravityTheReferenceForceIsTheLoad) {
  EXPECT_EQ(softness({"gravity=[0, 0, 0]", "contact.reference_force=2"}),
            (std::vector<std::string>{
                kStiffness + ", overlap 2 % of the radius under 2 N; contacts last 0.0023 s, a "
                             "step is 0.43 of that; impacts part at 0.17 of their speed"}));
}

TEST(Softness, WithoutInertiaNothingBounces) {
  EXPECT_EQ(softness({"dynamics=overdamped", "fluid={viscosity: 1}"}),
            (std::vector<std::string>{
                kStiffness + ", overlap 0.036 % of the radius under a grain's share of the weight "
                             "(0.036 N; chains of force bear several times that)"}));
}

TEST(Softness, StandsInTheSummaryBesideThePairs) {
  const std::string text =
      summarise(MPI_COMM_WORLD,
                read_run_config(kSoftScene, "r.yaml", {"materials.steel.young_modulus=2e11"}));
  EXPECT_NE(text.find("steel 7850 kg/m^3 (E 200000000000 Pa, nu 0.3)"), std::string::npos) << text;
  EXPECT_NE(
      text.find("gravel-gravel 0.4 (stiffness 10000 N/m), steel-gravel 0.2 (rolling 0.001 m)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  softness    gravel-gravel: k_n 1e+04 N/m"), std::string::npos) << text;
  EXPECT_NE(text.find("\n              steel-gravel: k_n"), std::string::npos) << text;
}

}  // namespace
}  // namespace scree
