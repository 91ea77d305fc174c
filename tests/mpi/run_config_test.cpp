// ranks: 1 2 3
#include "scree/app/config/run_config.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scree/app/commands/check_command.hpp"
#include "scree/base/parallel.hpp"
#include "support/folders.hpp"
#include "support/refusal.hpp"

namespace scree::run_config_test {
namespace {

const std::filesystem::path kSettle = test::source_dir() / "configs/settle.yaml";

std::string refusal(const std::filesystem::path& file, const Overrides& overrides) {
  return test::refusal_of([&] { load_run_config(MPI_COMM_WORLD, file, overrides); });
}

TEST(RunConfigMpi, EveryRankHasTheConfiguration) {
  const RunConfig config =
      load_run_config(MPI_COMM_WORLD, kSettle, {"bodies.grains.place.count=100"});
  EXPECT_EQ(config.name, "settle");
  EXPECT_EQ(std::get<BoxPlaces>(config.bodies[0].place).filling.count, 100);
}

TEST(RunConfigMpi, EveryRankSaysTheSameFault) {
  EXPECT_EQ(refusal("/nowhere/c.yaml", {}),
            "/nowhere/c.yaml: cannot be read; allowed: a YAML file");
  EXPECT_EQ(
      refusal(kSettle, {"time.dt=0"}),
      "--set time.dt=0: time.dt: 0 is out of range; allowed: `auto`, or a number above 0, in s");
}

/// A file of grains that only some ranks find faulty is refused by all.
TEST(RunConfigMpi, AFaultInOneRanksShareIsEveryonesFault) {
  const std::filesystem::path csv = std::filesystem::temp_directory_path() / "scree_faulty.csv";
  if (rank_of(MPI_COMM_WORLD) == 0) {
    std::ofstream file(csv);
    file << "x,y,z,r\n0,0,0,0.01\n1,0,0,0.01\n2,0,0,-0.01\n";
  }
  SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
  const RunConfig config =
      load_run_config(MPI_COMM_WORLD, kSettle,
                      {"bodies.grains.radii={type: file}",
                       "bodies.grains.place={type: csv, file: \"" + csv.string() + "\"}"});
  EXPECT_THROW(summarise(MPI_COMM_WORLD, config), InputError);
  SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
  if (rank_of(MPI_COMM_WORLD) == 0) std::filesystem::remove(csv);
}

TEST(RunConfigMpi, SummaryDoesNotDependOnTheRanks) {
  const RunConfig config = load_run_config(MPI_COMM_WORLD, kSettle);
  const std::string all = summarise(MPI_COMM_WORLD, config);
  const std::string alone = summarise(MPI_COMM_SELF, config);
  EXPECT_EQ(all, rank_of(MPI_COMM_WORLD) == 0 ? alone : "");
}

}  // namespace
}  // namespace scree::run_config_test
