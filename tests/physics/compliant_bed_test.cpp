// ranks: 1 2 4
/// Beds of compliant balls: energy never grows, and a bed at rest stays so through a restart on another number of
/// ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "scree/bodies/elasticity.hpp"
#include "scree/step/contact_impulse.hpp"
#include "scree/step/energies.hpp"
#include "support/balls.hpp"

namespace scree::test {
namespace {

constexpr double kStiffness = 2e4;  // N/m
const double kTangential = tangential_ratio({}, {}) * kStiffness;
constexpr int kCount = 48;

/// @p pair: its mu, damping and the like.
std::string bed(const std::string& pair, const std::string& friction = "coulomb",
                double tolerance = 1e-8, int count = kCount) {
  return fmt::format(R"(
time: {{dt: 1e-3, end: 100}}
gravity: [0, 0, -10]
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], {}, stiffness: {}}}]
bodies:
  bed:
    material: stone
    radii: {{type: uniform, min: 0.015, max: 0.02}}
    place: {{type: box, low: [0, 0, 0], high: [0.16, 0.16, 0.4], count: {}, seed: 3}}
    velocity: [0.2, 0.1, -1.0]
tools:
  floor: {{material: stone, shape: {{type: plane}}}}
  left: {{material: stone, shape: {{type: plane}}, normal: [1, 0, 0]}}
  right: {{material: stone, shape: {{type: plane}}, position: [0.16, 0, 0], normal: [-1, 0, 0]}}
  front: {{material: stone, shape: {{type: plane}}, normal: [0, 1, 0]}}
  back: {{material: stone, shape: {{type: plane}}, position: [0, 0.16, 0], normal: [0, -1, 0]}}
solver: {{tolerance: {}, friction: {}}}
)",
                     pair, kStiffness, count, tolerance, friction);
}

Energies energy(const Simulation& simulation) {
  return energies(simulation.comm(), simulation.store(), simulation.config().gravity);
}

/// What springs hold at the start of the step of @p result: k overlap^2/2 + F_t^2/(2 k_t).
double elastic_energy(const Simulation& simulation) {
  double energy = 0.0;
  const StepResult& result = simulation.result();
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const Contact& contact = result.contacts[i];
    const ContactHistory& history = result.histories[i];
    const double overlap = std::max(history.rest_gap - contact.gap, 0.0);
    const double normal = history.force.dot(contact.normal);
    energy += 0.5 * kStiffness * overlap * overlap +
              0.5 * (history.force.squaredNorm() - normal * normal) / kTangential;
  }
  return sum_over_ranks(simulation.comm(), energy);
}

/// Implicit Euler takes energy, springs are linear, and the gap of two balls opens faster than it does to first
/// order: so the sum of all energies falls, up to what the solver leaves.
TEST(CompliantBed, EnergyNeverGrows) {
  for (const double mu : {0.0, 0.4}) {
    Simulation balls = simulation(bed(fmt::format("mu: {}", mu)));
    Energies before = energy(balls);
    const double start = before.kinetic + before.potential;
    double last = start;
    for (int i = 0; i < 180; ++i) {
      balls.step();
      // at the start of this step; contacts are those of the step, which finds them at its start
      const double total = before.kinetic + before.potential + elastic_energy(balls);
      ASSERT_LE(total, last + 1e-8 * start) << mu << " " << i;
      last = total;
      before = energy(balls);
    }
    EXPECT_LT(last, 0.6 * start) << mu;
  }
}

/// Of all contacts, N: of their tangential forces.
double shear(const Simulation& simulation) {
  double sum = 0.0;
  const StepResult& result = simulation.result();
  const petsc::ConstView lambda(result.impact.impulse.get());
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const Vec3 impulse = world_impulse(result.contacts[i],
                                       impulse_rows(result.posed.problem.cones, i, lambda.span()));
    const Vec3& n = result.contacts[i].normal;
    sum += (impulse - n.dot(impulse) * n).norm();
  }
  return sum_over_ranks(simulation.comm(), sum) / simulation.config().time.dt;
}

/// What the solver's tolerance leaves of kinetic energy, with a factor of 1e4, J.
constexpr double kAtRest = 1e-19;

struct Rest {
  double kinetic;
  double shear;
};

Rest after(MPI_Comm comm, const std::string& yaml, const CheckpointContent& content) {
  Simulation again(comm, read_run_config(yaml, "test.yaml"), content);
  Rest rest{};
  for (int i = 0; i < 3; ++i) {
    again.step();
    rest.kinetic = std::max(rest.kinetic, energy(again).kinetic);
  }
  rest.shear = shear(again);
  return rest;
}

CheckpointContent forget_contacts(CheckpointContent content) {
  for (StateGroup& group : content.groups) {
    if (group.name != "contacts") continue;
    for (NumberArray& array : group.arrays) {
      std::visit([](auto& values) { values.clear(); }, array.values);
    }
  }
  return content;
}

/// From one rank to all: rank 0 brings the whole state.
TEST(CompliantBed, AtRestStaysSoThroughARestart) {
  const std::string yaml =
      bed("mu: 0.4, damping: 0.5, rolling: 2e-3, spinning: 2e-3", "coulomb", 1e-10, 20);
  Simulation alone(MPI_COMM_SELF, read_run_config(yaml, "test.yaml"));
  run(alone, 700);
  ASSERT_LT(energy(alone).kinetic, kAtRest);
  const double held = shear(alone);
  CheckpointContent content = alone.state();
  if (rank_of(MPI_COMM_WORLD) > 0) {
    for (StateGroup& group : content.groups) {
      if (group.common) continue;
      for (NumberArray& array : group.arrays) {
        std::visit([](auto& values) { values.clear(); }, array.values);
      }
    }
  }
  const Rest again = after(MPI_COMM_WORLD, yaml, content);
  const Rest forgetful = after(MPI_COMM_WORLD, yaml, forget_contacts(content));
  EXPECT_LT(again.kinetic, kAtRest);
  EXPECT_NEAR(again.shear, held, 1e-8 * held);
  EXPECT_GT(held, 1.0);
  EXPECT_GT(forgetful.kinetic, 1e9 * kAtRest);  // springs at rest where they are bear nothing
}

TEST(CompliantBed, IsTheSameOnAllRanks) {
  const std::string yaml = bed("mu: 0.4, damping: 0.1", "coulomb", 1e-11);
  Simulation all(MPI_COMM_WORLD, read_run_config(yaml, "test.yaml"));
  Simulation alone(MPI_COMM_SELF, read_run_config(yaml, "test.yaml"));
  run(all, 120);
  run(alone, 120);
  const std::vector<BallState> a = states(all, kCount);
  const std::vector<BallState> b = states(alone, kCount);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_LT((a[i].position - b[i].position).norm(), 1e-8) << i;
    EXPECT_LT((a[i].velocity - b[i].velocity).norm(), 1e-6) << i;
  }
}

/// Without friction the two laws are one; with it the relaxed law is solved, too.
TEST(CompliantBed, TheAssociatedLawHasTheSameNormalForces) {
  Simulation coulomb = simulation(bed("mu: 0, damping: 0.3", "coulomb", 1e-11));
  Simulation associated = simulation(bed("mu: 0, damping: 0.3", "associated", 1e-11));
  Simulation rough = simulation(bed("mu: 0.4, damping: 0.3", "associated"));
  for (int i = 0; i < 100; ++i) {
    const StepResult& one = coulomb.step();
    const StepResult& other = associated.step();
    ASSERT_EQ(one.impact.report.status, Status::converged);
    ASSERT_EQ(other.impact.report.status, Status::converged);
    ASSERT_EQ(rough.step().impact.report.status, Status::converged);
    for (std::size_t tool = 0; tool < one.wrenches.size(); ++tool) {
      ASSERT_LT((one.wrenches[tool].force - other.wrenches[tool].force).norm(), 1e-4);
    }
  }
  EXPECT_GT(coulomb.result().wrenches.at(0).force.norm(), 5.0);
}

}  // namespace
}  // namespace scree::test
