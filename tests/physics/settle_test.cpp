// ranks: 2
/// Five thousand balls settle in a box, as the project's users run it.
///
/// - configs/settle.yaml: over the last 0.1 s the floor and the walls bear the weight, to 0.1 %:
/// the
///   grains rest, so the mean of what holds them is what pulls them.
/// - They pack as grains do in stiff DEM (LIGGGHTS and LAMMPS at 1e8 Pa, by scripts/bench/settle:
/// packing fraction
///   0.593 and 0.605, 4.70 and 4.73 contacts a grain): packing fraction 0.585 to 0.610, 4.4 to 4.8 contacts,
///   the mean over the last 0.1 s, since a contact that barely bears opens and closes from step to step.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scree/step/energies.hpp"
#include "support/folders.hpp"
#include "support/packing.hpp"
#include "support/simulate.hpp"

namespace scree::test::settle_test {
namespace {

const std::filesystem::path kConfig = test::source_dir() / "configs/settle.yaml";

Simulation settle(const Overrides& overrides) {
  return Simulation(MPI_COMM_WORLD, load_run_config(MPI_COMM_WORLD, kConfig, overrides));
}

void say(const char* what, double value) {
  if (rank_of(MPI_COMM_WORLD) == 0) std::printf("%s: %.6g\n", what, value);
}

TEST(Settle, WallsBearTheWeightOfGrainsThatPackAsInStiffDem) {
  Simulation box = settle({});
  const std::int64_t steps = box.config().time.n_steps();
  const auto last = static_cast<std::int64_t>(std::lround(0.1 / box.config().time.dt));
  run(box, steps - last);
  const auto share = 1.0 / static_cast<double>(last);
  double force = 0.0;
  double contacts = 0.0;
  for (std::int64_t i = 0; i < last; ++i) {
    for (const Wrench& wrench : box.step().wrenches) force -= share * wrench.force.z();
    contacts += share * contacts_a_grain(MPI_COMM_WORLD, box.store(), box.result());
  }
  const double weight = energies(MPI_COMM_WORLD, box.store(), Vec3::Zero()).mass * 9.81;
  say("mean force over weight", force / weight);
  EXPECT_NEAR(force, weight, 1e-3 * weight);
  const double fraction = packing_fraction(MPI_COMM_WORLD, box.store());
  say("packing fraction", fraction);
  say("contacts a grain", contacts);
  EXPECT_GE(fraction, 0.585);
  EXPECT_LE(fraction, 0.610);
  EXPECT_GE(contacts, 4.4);
  EXPECT_LE(contacts, 4.8);
}

}  // namespace
}  // namespace scree::test::settle_test
