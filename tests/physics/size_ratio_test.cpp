// ranks: 1
/// Balls of very different sizes, which sweeps stall on.

#include <gtest/gtest.h>

#include "support/simulate.hpp"

namespace scree::test::size_ratio_test {
namespace {

/// A ball that rolls onto one 100 times smaller, which jams where friction is that of the wedge
/// between ball and floor, mu = sqrt(r / R): sweeps stall there, and a solution exists.
TEST(SizeRatio, NoSmallBallIsWedgedByOneThatRollsOntoIt) {
  for (const char* method : {"auto", "nsgs"}) {
    for (const double tolerance : {1e-4, 1e-6}) {
      Simulation run = simulation(fmt::format(R"(
time: {{dt: 1e-3, end: 10}}
gravity: [0, 0, -9.81]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.1}}]
bodies:
  large: {{material: stone, radii: {{type: list, values: [0.05]}}, place: {{type: points, positions: [[0.07, 0, 0.05]]}}, velocity: [-1, 0, 0], angular_velocity: [0, -20, 0]}}
  small: {{material: stone, radii: {{type: list, values: [0.0005]}}, place: {{type: points, positions: [[0, 0, 0.0005]]}}}}
tools:
  floor: {{material: stone, shape: {{type: plane}}, normal: [0, 0, 1]}}
solver: {{method: {}, tolerance: {}}}
)",
                                              method, tolerance));
      int unsolved = 0;
      for (int i = 0; i < 80; ++i) {
        const SolverReport& report = run.step().impact.report;
        EXPECT_NE(report.status, Status::infeasible) << method << " " << report.reason;
        unsolved += report.status == Status::converged ? 0 : 1;
      }
      EXPECT_LE(unsolved, 1) << method << " " << tolerance;
    }
  }
}

}  // namespace
}  // namespace scree::test::size_ratio_test
