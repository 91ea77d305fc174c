// ranks: 1 2 4 7, mostly 7
/// A chain of fifty grains that falls from level: the same on any ranks as on one.
///
/// Bounds: in a chain that whips misfits are of some 1e-4 m, by judgement; ranks may differ by what
/// their solves to 1e-11 leave, which 25 steps add up: 1e-6 m by judgement.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "scree/step/joints.hpp"
#include "support/simulate.hpp"

namespace scree::test::long_chain_test {
namespace {

constexpr int kLinks = 50;

std::string hung_chain() {
  std::string places;
  for (int i = 0; i < kLinks; ++i)
    places += fmt::format("{}[{}, 0, 0]", i == 0 ? "" : ", ", 0.1 * i);
  return fmt::format(R"yaml(
time: {{dt: 4e-3, end: 10}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3}}]
solver: {{tolerance: 1e-11}}
bodies:
  links: {{material: steel, radii: {{type: list, values: [0.06]}}, place: {{type: points, positions: [{}]}}}}
joints:
  hook: {{type: ball, between: ["links[0]", world], position: [-0.05, 0, 0]}}
  chain: {{type: ball, chain: links}}
)yaml",
                     places);
}

TEST(LongChain, FallsAlikeOnAnyRanks) {
  constexpr int kSteps = 25;
  Simulation scene = simulation(hung_chain());
  Simulation alone(MPI_COMM_SELF, read_run_config(hung_chain(), "test.yaml", {}));
  run(scene, kSteps);
  run(alone, kSteps);
  const std::vector<JointFrame>& joints = scene.state().joints;
  ASSERT_EQ(joints.size(), static_cast<std::size_t>(kLinks));
  const auto ends = joint_ends(scene.comm(), joints, {scene.store(), scene.setup().cell});
  const auto there =
      joint_ends(alone.comm(), alone.state().joints, {alone.store(), alone.setup().cell});
  double misfit = 0.0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_LE((ends[i].a.point - there[i].a.point).norm(), 1e-6) << i;
    misfit = std::max(misfit, misfit_of(scene.config().joints[joints[i].spec], ends[i]));
  }
  EXPECT_LE(misfit, 1e-4);
  EXPECT_LE(ends.back().a.point.z(), -0.03) << "it falls";
}

}  // namespace
}  // namespace scree::test::long_chain_test
