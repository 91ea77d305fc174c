#include "scree/app/commands/info_command.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "scree/base/check.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "support/folders.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "no `" << part << "` in\n" << text;
  }
}

TEST(Info, TellsWhatASnapshotHolds) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "s.hdf";
  write_snapshot(MPI_COMM_SELF, path, test::sample_store(0, 12, 1),
                 {.time = 0.25, .step = 250, .dt = 1e-3, .materials = {"gravel", "steel"}});
  expect_parts(describe_file(path), {"kind: snapshot", "time: 0.25 s", "step: 250", "ranks: 1",
                                     "version: ", "grains: 12", "walls and tools: 2", "unit: m/s",
                                     "names: gravel,steel", "components: w,x,y,z"});
}

TEST(Info, TellsWhatAProblemHolds) {
  expect_parts(describe_file(test::source_dir() / "tests/problems/stored/balls.hdf5"),
               {"kind: FCLIB problem (fclib_global)", "contacts: 158", "matrix H: 360 x 474",
                "solution: yes"});
}

TEST(Info, TellsWhatAProblemOfAnotherCodeHolds) {
  const std::filesystem::path shared = test::shared_dir();
  if (!std::filesystem::exists(shared / "fclib")) GTEST_SKIP() << "no " << shared / "fclib";
  expect_parts(describe_file(shared / "fclib" / "Capsules-i100-889.hdf5"),
               {"kind: FCLIB problem (fclib_local)", "contacts: ", "matrix W: ", "solution: "});
}

TEST(Info, TellsTheUnitsOfATablesColumns) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "tools.csv") << "time,...\n0.1\n0.2\n";
  expect_parts(describe_file(folder.path() / "tools.csv"), {"rows: 2", "torque_x           N m"});
}

TEST(Info, RefusesWhatIsNotThere) {
  EXPECT_THROW(describe_file("/nowhere/s.hdf"), InputError);
  EXPECT_THROW(describe_file("/nowhere/steps.csv"), InputError);
  EXPECT_THROW(info_command(MPI_COMM_SELF, "/nowhere/s.hdf"), InputError);
}

}  // namespace
}  // namespace scree
