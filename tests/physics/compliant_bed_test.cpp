// ranks: 1 2 4, mostly 4
/// Beds of compliant balls: energy never grows, and a bed at rest stays so through a restart on
/// another number of ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <variant>
#include <vector>

#include "scree/bodies/elasticity.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "scree/step/contact_memory.hpp"
#include "scree/step/energies.hpp"
#include "step/contact_impulse.hpp"
#include "support/balls.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test::compliant_bed_test {
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

/// The memory of contacts of all ranks, on every rank. Collective.
ContactMemory memory_of_all(const Simulation& simulation) {
  const std::vector<ContactRecord> own = simulation.state().contacts.records().copy();
  std::vector<int> counts(size_of(simulation.comm()));
  const int bytes = static_cast<int>(own.size() * sizeof(ContactRecord));
  SCREE_MPI(MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, simulation.comm()));
  std::vector<int> first(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), first.begin() + 1);
  std::vector<ContactRecord> all(static_cast<std::size_t>(first.back()) / sizeof(ContactRecord));
  SCREE_MPI(MPI_Allgatherv(own.data(), bytes, MPI_BYTE, all.data(), counts.data(), first.data(),
                           MPI_BYTE, simulation.comm()));
  std::ranges::sort(all, {}, &ContactRecord::key);
  ContactMemory memory;
  memory.replace(ContactRecords(all));
  return memory;
}

/// The energy of springs at the start of the last step, before which contacts carried @p memory:
/// k overlap^2/2 + F_t^2/(2 k_t).
double elastic_energy(const Simulation& simulation, const ContactMemory& memory) {
  double energy = 0.0;
  const StepResult& result = simulation.result();
  const FoundRecords found = memory.find(result.contacts);
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const ContactRecord record = found.is_new(i) ? ContactRecord() : found[i];
    const double overlap = std::max(record.rest_gap - result.contacts[i].gap, 0.0);
    const double normal = record.force.dot(record.normal);
    energy += 0.5 * kStiffness * overlap * overlap +
              0.5 * (record.force.squaredNorm() - normal * normal) / kTangential;
  }
  return sum_over_ranks(simulation.comm(), energy);
}

/// Implicit Euler takes energy, and so does the least theta of a step (contact/restitution.hpp),
/// springs are linear, and the gap of two balls opens faster than it does to first order: so the
/// sum of all energies falls, up to what the solver leaves. A contact lasts 3 ms and more, so
/// that the step of 1 ms has theta 1/2 for a restitution of 1.
TEST(CompliantBed, EnergyNeverGrows) {
  for (const char* pair :
       {"mu: 0", "mu: 0.4", "mu: 0.4, restitution: 0.4", "mu: 0.4, restitution: 1"}) {
    Simulation balls = simulation(bed(pair));
    Energies before = energy(balls);
    const double start = before.kinetic + before.potential;
    double last = start;
    for (int i = 0; i < 180; ++i) {
      const ContactMemory memory = memory_of_all(balls);
      balls.step();
      // at the start of this step; contacts are those of the step, which finds them at its start
      const double total = before.kinetic + before.potential + elastic_energy(balls, memory);
      ASSERT_LE(total, last + 1e-8 * start) << pair << " " << i;
      last = total;
      before = energy(balls);
    }
    EXPECT_LT(last, 0.6 * start) << pair;
  }
}

/// Sum over all contacts of the tangential force, N.
double shear(const Simulation& simulation) {
  double sum = 0.0;
  const StepResult& result = simulation.result();
  const petsc::ConstView lambda(result.impact.impulse.get());
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const Vec3 impulse =
        world_impulse(result.contacts[i], result.formulated.contact_rows().of(i, lambda.span()));
    const Vec3& n = result.contacts[i].normal;
    sum += (impulse - n.dot(impulse) * n).norm();
  }
  return sum_over_ranks(simulation.comm(), sum) / simulation.config().time.dt;
}

/// Kinetic energy that the solver's tolerance leaves, with a factor of 1e4, J.
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
  CheckpointContent content = checkpoint(alone);
  if (rank_of(MPI_COMM_WORLD) > 0) {
    for (StateGroup& group : content.groups) {
      if (group.common) continue;
      for (NumberArray& array : group.arrays) {
        std::visit([](auto& values) { values.clear(); }, array.values);
      }
    }
  }
  const Rest again = after(MPI_COMM_WORLD, yaml, content);
  const Rest without_memory = after(MPI_COMM_WORLD, yaml, forget_contacts(content));
  EXPECT_LT(again.kinetic, kAtRest);
  EXPECT_NEAR(again.shear, held, 1e-8 * held);
  EXPECT_GT(held, 1.0);
  EXPECT_GT(without_memory.kinetic, 1e9 * kAtRest);  // springs at rest where they are bear nothing
}

/// A contact of the last step: ids, what its spring held, and the impulse, N and N s in the world
/// frame.
using ContactNumbers = std::array<double, 8>;

/// The contacts of all ranks in the last step, before which they carried @p memory, sorted by the
/// ids, on every rank. Collective.
std::vector<ContactNumbers> contacts_of(const Simulation& simulation, const ContactMemory& memory) {
  const StepResult& result = simulation.result();
  const FoundRecords found = memory.find(result.contacts);
  const petsc::ConstView lambda(result.impact.impulse.get());
  std::vector<ContactNumbers> mine;
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    const Contact& contact = result.contacts[i];
    const Vec3 held = found.is_new(i) ? Vec3(0, 0, 0) : found[i].force;
    const Vec3 impulse =
        world_impulse(contact, result.formulated.contact_rows().of(i, lambda.span()));
    mine.push_back({static_cast<double>(contact.key.id_a), static_cast<double>(contact.key.id_b),
                    held.x(), held.y(), held.z(), impulse.x(), impulse.y(), impulse.z()});
  }
  std::vector<int> counts(size_of(simulation.comm()));
  const int n = static_cast<int>(8 * mine.size());
  SCREE_MPI(MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, simulation.comm()));
  std::vector<int> first(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), first.begin() + 1);
  std::vector<ContactNumbers> all(first.back() / 8);
  SCREE_MPI(MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), first.data(),
                           MPI_DOUBLE, simulation.comm()));
  std::sort(all.begin(), all.end());
  return all;
}

/// @p held, @p impulse: what may differ, N and N s.
void expect_alike(const std::vector<ContactNumbers>& found,
                  const std::vector<ContactNumbers>& wanted, double held, double impulse) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i][0], wanted[i][0]) << i;
    ASSERT_EQ(found[i][1], wanted[i][1]) << i;
    for (std::size_t k = 2; k < 5; ++k) EXPECT_NEAR(found[i][k], wanted[i][k], held) << i;
    for (std::size_t k = 5; k < 8; ++k) EXPECT_NEAR(found[i][k], wanted[i][k], impulse) << i;
  }
}

/// The first @p size ranks; null on the others.
MPI_Comm first_ranks(int size) {
  MPI_Comm comm = MPI_COMM_NULL;
  SCREE_MPI(
      MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) < size ? 0 : MPI_UNDEFINED, 0, &comm));
  return comm;
}

/// A bed in motion, written by two ranks and read by three: contact by contact what springs hold is
/// what the uninterrupted run has, at first to the last digits, then to the solver's tolerance.
TEST(CompliantBed, GoesOnFromAFileOnOtherRanks) {
  if (size_of(MPI_COMM_WORLD) < 3) GTEST_SKIP() << "two ranks write and three read";
  constexpr int kBefore = 150;
  constexpr int kAfter = 5;
  const std::string yaml = bed("mu: 0.4, damping: 0.1", "coulomb", 1e-11);
  const RunConfig config = read_run_config(yaml, "test.yaml");
  const TemporaryFolder folder(MPI_COMM_WORLD);
  const std::filesystem::path file = folder.path() / "c.h5";
  MPI_Comm two = first_ranks(2);
  MPI_Comm three = first_ranks(3);
  std::vector<std::vector<ContactNumbers>> wanted;
  if (two != MPI_COMM_NULL) {
    Simulation simulation(two, config);
    run(simulation, kBefore);
    write_checkpoint(two, file, checkpoint(simulation));
    for (int i = 0; i < kAfter; ++i) {
      const ContactMemory memory = memory_of_all(simulation);
      simulation.step();
      wanted.push_back(contacts_of(simulation, memory));
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (three != MPI_COMM_NULL) {
    Simulation again(three, config, read_checkpoint(three, file));
    for (std::size_t i = 0; i < kAfter; ++i) {
      const ContactMemory memory = memory_of_all(again);
      again.step();
      const std::vector<ContactNumbers> found = contacts_of(again, memory);
      if (wanted.empty()) continue;
      SCOPED_TRACE(fmt::format("step {}", i));
      expect_alike(found, wanted[i], i == 0 ? 1e-12 : 1e-5, 1e-8);
      const auto bearing = [](const ContactNumbers& c) {
        return Vec3(c[2], c[3], c[4]).norm() > 0.1;
      };
      EXPECT_GT(std::count_if(found.begin(), found.end(), bearing), kCount / 2);
    }
  }
  for (MPI_Comm* comm : {&two, &three}) {
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
  }
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
}  // namespace scree::test::compliant_bed_test
