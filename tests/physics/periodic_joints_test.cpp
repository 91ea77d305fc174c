// ranks: 1 2 4
/// Joints of grains where space repeats: across the sides of the cell as within it.
///
/// Bounds: solves end within 1e-11 of impulses, which leaves 1e-9 m; what is compared across the
/// seam differs by rounding besides. Ranks may differ by what their solves leave, 1e-7 m by
/// judgement; forces, which are impulses over the step, 1e-4 of themselves. Misfits are of third
/// order in the step, 1e-5 m by judgement. A ring is plucked where its height is above 1e-6 m, a
/// thousand times what solves leave.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/step/joints.hpp"
#include "support/refusal.hpp"
#include "support/simulate.hpp"

namespace scree::test::periodic_joints_test {
namespace {

constexpr int kLinks = 10;
constexpr const char* kCell = "periodic: {x: [0, 0.6], y: [-0.3, 0.3]}\n";

/// Grains in a row along x from @p first on, a place every @p space, in pairs beside each other by
/// @p side, and more keys.
std::string row(const std::string& more, double first, double space, double side = 0.0) {
  std::string places;
  for (int i = 0; i < kLinks; ++i)
    places +=
        fmt::format("{}[{}, {}, 0]", i == 0 ? "" : ", ", first + space * i, i % 4 < 2 ? side : 0.0);
  return fmt::format(R"yaml(
time: {{dt: 1e-3, end: 10}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.3}}]
solver: {{tolerance: 1e-11}}
balance: {{bound: 1.02}}
bodies:
  links: {{material: steel, radii: {{type: list, values: [0.02]}}, place: {{type: points, positions: [{}]}}}}
{})yaml",
                     places, more);
}

/// A chain that begins within the cell, hangs by its first grain, and goes on beyond the side.
std::string hung(const std::string& cell) {
  return row(cell + R"yaml(
joints:
  hook: {type: ball, between: ["links[0]", world], position: [0.33, 0, 0]}
  chain: {type: hinge, chain: links, axis: [0, 1, 0], turn: {friction: {coefficient: 0.1, radius: 0.01}}}
)yaml",
             0.35, 0.05);
}

/// Where each grain went, by its id. Collective.
std::map<std::int64_t, Vec3> ways(const Simulation& scene) {
  std::vector<double> x(3 * kLinks, 0.0);
  const Store& store = scene.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    Vec3::Map(&x.at(3 * store.id[slot])) = unwrapped(store, scene.setup().cell, slot);
  }
  sum_over_ranks(scene.comm(), x);
  std::map<std::int64_t, Vec3> all;
  for (std::int64_t id = 0; id < kLinks; ++id) all[id] = Vec3(&x[3 * id]);
  return all;
}

void expect_same_ways(const Simulation& a, const Simulation& b, double bound) {
  const auto of_b = ways(b);
  for (const auto& [id, x] : ways(a)) EXPECT_LE((x - of_b.at(id)).norm(), bound) << id;
}

double misfit_of_all(const Simulation& scene) {
  const std::vector<JointFrame>& joints = scene.state().joints;
  const auto ends = joint_ends(scene.comm(), joints, {scene.store(), scene.setup().cell});
  double largest = 0.0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    largest = std::max(largest, misfit_of(scene.config().joints[joints[i].spec], ends[i]));
  }
  return largest;
}

TEST(PeriodicJoints, AChainAcrossTheSideFallsAsOneInFreeSpace) {
  Simulation scene = simulation(hung(kCell));
  Simulation free(MPI_COMM_SELF, read_run_config(hung(""), "test.yaml"));
  run(scene, 150);
  run(free, 150);
  expect_same_ways(scene, free, size_of(scene.comm()) == 1 ? 1e-9 : 1e-7);
  EXPECT_LT(ways(scene).at(kLinks - 1).z(), -0.05) << "it falls";
  EXPECT_LE(misfit_of_all(scene), 1e-5);
  const std::vector<JointForce>& forces = scene.result().joint_forces;
  const std::vector<JointForce>& there = free.result().joint_forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const double size = std::max(1.0, there[i].force.norm());
    EXPECT_LE((forces[i].force - there[i].force).norm(), 1e-4 * size) << i;
    EXPECT_LE((forces[i].torque - there[i].torque).norm(), 1e-4 * size) << i;
  }
}

/// Grains joined to a ring around the cell, which has slack, and is plucked.
std::string ring() {
  return row(std::string(kCell) + R"yaml(
gravity: [0, 0, 0]
forces: {pluck: {force: ["0", "0", "t < 0.01 ? sin(2*pi*x/0.6) : 0"]}}
joints:
  chain: {type: ball, chain: links}
  seam: {type: ball, between: ["links[9]", "links[0]"]}
)yaml",
             0.02, 0.06, 0.03);
}

TEST(PeriodicJoints, ARingAroundTheCellRunsThroughItsSide) {
  const Overrides overrides{"bodies.links.velocity=[6, 0, 0]"};
  Simulation scene = simulation(ring(), overrides);
  Simulation alone(MPI_COMM_SELF, read_run_config(ring(), "test.yaml", overrides));
  run(scene, 110);
  run(alone, 110);
  expect_same_ways(scene, alone, 1e-7);
  EXPECT_LE(misfit_of_all(scene), 1e-5);
  double length = 0.0;
  double height = 0.0;
  for (const auto& [id, x] : ways(scene)) {
    length += x.x() - (0.02 + 0.06 * static_cast<double>(id));
    height = std::max(height, std::abs(x.z()));
  }
  EXPECT_NEAR(length / kLinks, 6.0 * 0.11, 1e-9) << "momentum along the ring is kept";
  EXPECT_GT(height, 1e-6) << "it was plucked";
}

TEST(PeriodicJoints, ARunGoesOnFromACheckpointOnAnyRanks) {
  const RunConfig config = read_run_config(hung(kCell), "test.yaml");
  Simulation whole(MPI_COMM_WORLD, config);
  run(whole, 60);
  Simulation later(MPI_COMM_WORLD, config, checkpoint(whole));
  run(whole, 60);
  run(later, 60);
  expect_same_ways(whole, later, size_of(MPI_COMM_WORLD) == 1 ? 0.0 : 1e-7);
}

/// Two grains that are joined on one side and touch on the other, by an overlap that is left alone.
constexpr const char* kPair = R"yaml(
time: {dt: 1e-3, end: 1}
gravity: [0, 0, 0]
periodic: {x: [0, 0.082]}
materials: {steel: {density: 7800}}
friction: [{between: [steel, steel], mu: 0.3}]
bodies:
  pair: {material: steel, radii: {type: list, values: [0.02]}, place: {type: points, positions: [[0.01, 0, 0], [0.05201, 0, 0]]}}
joints:
  rod: {type: fixed, between: ["pair[0]", "pair[1]"], position: [0.03, 0, 0]}
)yaml";

TEST(PeriodicJoints, OtherImagesOfJoinedGrainsMeet) {
  Simulation scene = simulation(kPair);
  scene.step();
  const ContactList& contacts = scene.result().contacts;
  EXPECT_EQ(sum_over_ranks(scene.comm(), static_cast<std::int64_t>(contacts.size())), 1);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    EXPECT_NEAR(contacts[i].gap, 0.082 - 0.04201 - 0.04, 1e-9);
  }
}

TEST(PeriodicJoints, OneThatIsTooLongIsRefused) {
  const std::string text = row(std::string(kCell) + R"yaml(
joints:
  rod: {type: distance, between: ["links[0]", "links[6]"], points: [[0.1, 0, 0], [0.4, 0, 0]]}
)yaml",
                               0.1, 0.05);
  EXPECT_NE(refusal_of([&] { simulation(text); }).find("joints.rod: its two points may be 0.3"),
            std::string::npos);
}

TEST(PeriodicJoints, OneThatAStageLetsBeTooLongIsRefused) {
  const std::string text = row(std::string(kCell) + R"yaml(
joints:
  rope: {type: strut, between: ["links[0]", "links[1]"], points: [[0.1, 0, 0], [0.15, 0, 0]], stretch: {limits: [-0.01, 0.1]}}
stages:
  - {name: short, until: {duration: 0.01}}
  - {name: long, set: {joints.rope.stretch.limits: [-0.01, 0.3]}}
)yaml",
                               0.1, 0.05);
  const std::string refusal = refusal_of([&] { simulation(text); });
  EXPECT_NE(refusal.find("joints.rope: its two points may be 0.35"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("in the stage \"long\""), std::string::npos) << refusal;
}

}  // namespace
}  // namespace scree::test::periodic_joints_test
