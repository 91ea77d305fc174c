// ranks: 1 2 4, mostly 2
/// Steps that do not converge are taken again in halves.

#include <cmath>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test::halving_test {
namespace {

/// Balls fall into a heap on a floor that goes up and down; a method that seldom converges in the
/// iterations it has, and more often where steps are shorter.
constexpr const char* kHeap = R"(
time: {dt: 4e-3, end: 0.2}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.3}]
bodies:
  heap:
    material: stone
    radii: {type: uniform, min: 0.008, max: 0.012}
    place: {type: box, low: [0, 0, 0.02], high: [0.1, 0.1, 0.12], seed: 1}
tools:
  floor:
    material: stone
    shape: {type: plane}
    motion: {type: oscillation, amplitude: 1e-3, frequency: 5}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.1, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.1, 0], normal: [0, -1, 0]}
solver: {method: nsgs, max_iterations: 30, tolerance: 1e-5}
)";

struct Outcome {
  std::vector<StepClock> clocks;
  std::int64_t unsolved = 0;  ///< parts
  std::vector<double> floor;  ///< its height at the end of each part, m
};

Outcome run_with(const Overrides& overrides) {
  Simulation heap = simulation(kHeap, overrides);
  Outcome outcome;
  while (heap.n_steps() < heap.config().time.n_steps()) {
    const StepResult& step = heap.step();
    outcome.clocks.push_back(step.clock);
    if (step.impact.report.status != Status::converged) ++outcome.unsolved;
    outcome.floor.push_back(heap.store().position[0].z());
  }
  return outcome;
}

TEST(Halving, CutsStepsUntilTheyConvergeOrTheDepthIsReached) {
  const Outcome whole = run_with({"solver.on_not_converged=warn"});
  const Outcome cut = run_with({"solver.on_not_converged=halve", "solver.halvings=2"});
  ASSERT_GT(whole.unsolved, 0) << "the scene is to have steps that do not converge";
  EXPECT_GT(cut.clocks.size(), whole.clocks.size());
  double time = 0.0;
  for (const StepClock& clock : cut.clocks) {
    EXPECT_EQ(clock.time, time);
    EXPECT_LE(clock.halvings(), 2);
    EXPECT_NEAR(clock.dt, 4e-3 / (1 << clock.halvings()), 1e-18);
    time = clock.end;
  }
  EXPECT_EQ(time, whole.clocks.back().end);
}

/// Twice to the shortest of chosen lengths, and twice below it.
TEST(Halving, PartsThatStayUnsolvedAreNotCutWithoutEnd) {
  Simulation heap =
      simulation(kHeap, {"time.dt=auto", "time.min=1e-3", "time.max=4e-3", "solver.tolerance=1e-14",
                         "solver.on_not_converged=halve", "solver.halvings=2"});
  int unsolved = 0;
  for (int part = 0; part < 400; ++part) {
    const StepResult& step = heap.step();
    EXPECT_LE(step.clock.halvings(), 4);
    if (step.impact.report.status != Status::converged) ++unsolved;
  }
  EXPECT_GT(unsolved, 100);
}

// Positions are evaluated at the end of the part: to rounding of a sine of 1e-3 m.
TEST(Halving, ToolsStayOnTheirPaths) {
  const Outcome cut = run_with({"solver.on_not_converged=halve", "solver.halvings=3"});
  for (std::size_t i = 0; i < cut.clocks.size(); ++i) {
    const double path = 1e-3 * std::sin(10.0 * M_PI * cut.clocks[i].end);
    EXPECT_NEAR(cut.floor[i], path, 1e-17);
  }
}

}  // namespace
}  // namespace scree::test::halving_test
