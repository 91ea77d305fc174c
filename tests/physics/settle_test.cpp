// ranks: 2
/// Five thousand balls settle in a box, as the project's users run it.
///
/// - configs/settle.yaml: over the last 0.1 s the floor and the walls bear the weight, to 0.1 %: the
///   grains rest, so the mean of what holds them is what pulls them.
/// - The scene that stiff DEM codes settled (LIGGGHTS and LAMMPS at 1e8 Pa: packing fraction 0.593 and
///   0.605, 4.70 and 4.73 contacts a grain): packing fraction 0.585 to 0.610, 4.4 to 4.8 contacts,
///   the mean over the last 0.1 s, since a contact that barely bears opens and closes from step to step. Runs that
///   differ by rounding only gave 4.42 and 4.45 in their last step: the lower bound leaves 0.05 for that.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scree/step/energies.hpp"
#include "support/folders.hpp"
#include "support/packing.hpp"
#include "support/simulate.hpp"

namespace scree::test {
namespace {

const std::filesystem::path kConfig = test::source_dir() / "configs/settle.yaml";
const std::filesystem::path kScene = test::shared_dir() / "scenes/box-settle-5k.csv";

Simulation settle(const Overrides& overrides) {
  return Simulation(MPI_COMM_WORLD, load_run_config(MPI_COMM_WORLD, kConfig, overrides));
}

void say(const char* what, double value) {
  if (rank_of(MPI_COMM_WORLD) == 0) std::printf("%s: %.6g\n", what, value);
}

TEST(Settle, WallsBearTheWeight) {
  Simulation box = settle({});
  const std::int64_t steps = box.config().time.n_steps();
  const auto last = static_cast<std::int64_t>(std::lround(0.1 / box.config().time.dt));
  run(box, steps - last);
  double force = 0.0;
  for (std::int64_t i = 0; i < last; ++i) {
    for (const Wrench& wrench : box.step().wrenches) force -= wrench.force.z();
  }
  const double weight = energies(MPI_COMM_WORLD, box.store(), Vec3::Zero()).mass * 9.81;
  say("mean force over weight", force / static_cast<double>(last) / weight);
  EXPECT_NEAR(force / static_cast<double>(last), weight, 1e-3 * weight);
}

TEST(Settle, PacksAsStiffDemDoes) {
  if (!std::filesystem::exists(kScene)) GTEST_SKIP() << kScene << " is not here";
  Simulation box = settle({"time.dt=1e-3", "bodies.grains.radii={type: file}",
                           "bodies.grains.place={type: csv, file: " + kScene.string() + "}"});
  const std::int64_t steps = box.config().time.n_steps();
  constexpr std::int64_t kLast = 100;
  run(box, steps - kLast);
  double contacts = 0.0;
  for (std::int64_t i = 0; i < kLast; ++i) {
    contacts += contacts_a_grain(MPI_COMM_WORLD, box.store(), box.step()) / kLast;
  }
  const double fraction = packing_fraction(MPI_COMM_WORLD, box.store());
  say("packing fraction", fraction);
  say("contacts a grain", contacts);
  EXPECT_GE(fraction, 0.585);
  EXPECT_LE(fraction, 0.610);
  EXPECT_GE(contacts, 4.4);
  EXPECT_LE(contacts, 4.8);
}

}  // namespace
}  // namespace scree::test
