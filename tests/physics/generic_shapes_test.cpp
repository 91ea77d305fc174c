// ranks: 1 2
/// Cylinders and cones, which meet the rest by the generic route: they rest on their flats and
/// lines, and roll as their moments say.

#include <cmath>
#include <numbers>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::generic_shapes_test {
namespace {

std::string on_plane(std::string_view grain, std::string_view turn, double height,
                     std::string_view more) {
  return fmt::format(R"(
time: {{dt: 1e-3, end: 1}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.7}}]
bodies: {{grain: {{material: stone, shape: {}, orientation: {}, place: {{type: points, positions: [[0, 0, {}]]}}}}}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, normal: [0, 0, 1]}}
solver: {{tolerance: 1e-10}}
{})",
                     grain, turn, height, more);
}

/// A quantity of the one grain, on all ranks.
template <class Ask>
double of_grain(const Simulation& run, const Ask& ask) {
  const Store& store = run.store();
  double value = -1e300;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) value = ask(store, i);
  return max_over_ranks(run.comm(), value);
}

double speed(const Simulation& run) {
  return of_grain(run, [](const Store& store, std::int32_t i) {
    return store.velocity[i].norm() + bounding_radius(store, i) * store.angular_velocity[i].norm();
  });
}
double height(const Simulation& run) {
  return of_grain(run, [](const Store& store, std::int32_t i) { return store.position[i].z(); });
}
std::int64_t n_points(const Simulation& run) {
  return sum_over_ranks(run.comm(), static_cast<std::int64_t>(run.result().contacts.size()));
}

constexpr std::string_view kUpright = "{axis: [0, 0, 1], angle: 0.3}";
constexpr std::string_view kOnSide = "{axis: [0, 1, 0], angle: 1.5707963267948966}";
constexpr std::string_view kRod = "{type: cylinder, radius: 0.01, length: 0.05}";

/// To the solver's tolerance times g dt.
void expect_at_rest(Simulation& run, double at, std::int64_t least, std::int64_t most) {
  test::run(run, 300);
  EXPECT_GE(n_points(run), least);
  EXPECT_LE(n_points(run), most);
  EXPECT_LT(speed(run), 1e-7 * 9.81);
  EXPECT_NEAR(height(run), at, 1e-8);
}

TEST(GenericShapes, ACylinderRestsOnItsSideAndOnItsEnd) {
  Simulation lying = simulation(on_plane(kRod, kOnSide, 0.01, ""));
  expect_at_rest(lying, 0.01, 2, 2);
  Simulation standing = simulation(on_plane(kRod, kUpright, 0.025, ""));
  expect_at_rest(standing, 0.025, 3, 6);
}

TEST(GenericShapes, AConeRestsOnItsBase) {
  Simulation run =
      simulation(on_plane("{type: cone, radius: 0.02, length: 0.04}", kUpright, 0.01, ""));
  expect_at_rest(run, 0.01, 3, 6);
}

// It falls onto its base from 5 mm and comes to rest there.
TEST(GenericShapes, AConeThatFallsComesToRest) {
  Simulation run =
      simulation(on_plane("{type: cone, radius: 0.02, length: 0.02}", kUpright, 0.01, ""));
  test::run(run, 600);
  EXPECT_LT(speed(run), 1e-6 * 9.81);
  EXPECT_NEAR(height(run), 0.005, 1e-4 * 0.02);
}

// A solid cylinder rolls down at 2/3 g sin(a): gravity is turned instead of the plane. Steps of
// first order in time bring it to n (n + 1) / 2 of dt^2 times that.
TEST(GenericShapes, ACylinderRollsDownAtTwoThirdsOfGravity) {
  const double slope = 0.2;
  const double g = 9.81;
  const std::string gravity =
      fmt::format("gravity: [{}, 0, {}]\n", g * std::sin(slope), -g * std::cos(slope));
  // its axis along y
  constexpr std::string_view kAcross = "{axis: [1, 0, 0], angle: 1.5707963267948966}";
  Simulation run = simulation(on_plane(kRod, kAcross, 0.01, gravity));
  constexpr int kSteps = 400;
  test::run(run, kSteps);
  const double time = 1e-3 * kSteps;
  const double speed_down =
      of_grain(run, [](const Store& store, std::int32_t i) { return store.velocity[i].x(); });
  const double spin = of_grain(
      run, [](const Store& store, std::int32_t i) { return store.angular_velocity[i].y(); });
  const double aside = of_grain(
      run, [](const Store& store, std::int32_t i) { return std::abs(store.position[i].y()); });
  EXPECT_NEAR(speed_down / (2.0 / 3.0 * g * std::sin(slope) * time), 1.0, 1e-4);
  EXPECT_NEAR(spin * 0.01 / speed_down, 1.0, 1e-4);
  EXPECT_LT(aside, 1e-8);
}

}  // namespace
}  // namespace scree::test::generic_shapes_test
