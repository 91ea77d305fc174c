// ranks: 1 3
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/paraview/xdmf.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "support/folders.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace scree::paraview_test {
namespace {

RunFiles files_of_snapshots(const RunFolder& folder) {
  return {.single = {folder.xdmf()},
          .of_steps = {folder.snapshot_files()},
          .folders_at_start = {folder.snapshots()},
          .folders_later = {},
          .long_names = {}};
}

/// Writes a run's folder: grains that fall, fewer from time to time, at last none; the last of
/// several ranks never has any.
/// SCREE_KEEP_RUN names a place to write it to where someone wants to look at it.
std::filesystem::path write_sample_run(MPI_Comm comm, const std::filesystem::path& parent) {
  const char* kept = std::getenv("SCREE_KEEP_RUN");
  const auto folder = RunFolder::create(comm, kept ? std::filesystem::path(kept) : parent / "run",
                                        "name: sample\n", true, files_of_snapshots);
  const int writers = std::max(1, size_of(comm) - 1);
  XdmfIndex index(folder.xdmf());
  for (int step = 0; step <= 3; ++step) {
    const std::int64_t n = step == 3 ? 0 : 1400 - 200 * step;
    Store store = rank_of(comm) < writers ? test::sample_store(rank_of(comm), n, writers)
                                          : test::sample_store(0, 0, 1);
    for (Vec3& position : store.position) position.z() -= 0.01 * step;
    const SnapshotInfo info = write_snapshot(comm, folder.snapshot_files().of(10 * step), store,
                                             {.time = 0.125 * step,
                                              .step = 10 * step,
                                              .dt = 0.0125,
                                              .configuration = "name: sample\n",
                                              .materials = {"gravel", "steel"},
                                              .groups = {"a", "b", "c"},
                                              .tools = {"blade", "floor"},
                                              .tool_forces = {Vec3(1, 2, -3), Vec3(4, 5, 6)}});
    if (rank_of(comm) == 0) index.add(info);
  }
  return folder.root();
}

/// Runs a command on rank 0. Collective: its exit status, on every rank.
int status_of(MPI_Comm comm, const std::string& command) {
  int status = 0;
  if (rank_of(comm) == 0) {
    status = std::system(command.c_str());
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  return max_over_ranks(comm, status);
}

TEST(ParaView, ReadsARunAsItWasWritten) {
  const test::TemporaryFolder parent(MPI_COMM_WORLD);
  const auto run = write_sample_run(MPI_COMM_WORLD, parent.path());
  const std::string script =
      (test::source_dir() / "tests/runs/paraview/check_paraview.py").string();
  const int status =
      status_of(MPI_COMM_WORLD, "/usr/bin/python3 '" + script + "' '" + run.string() + "'");
  if (status == 77) GTEST_SKIP() << "pvbatch is not installed";
  EXPECT_EQ(status, 0);
}

TEST(Picture, IsDrawnWithoutParaView) {
  if (size_of(MPI_COMM_WORLD) > 1) GTEST_SKIP() << "a file is a file, however many wrote it";
  const test::TemporaryFolder parent(MPI_COMM_WORLD);
  const auto run = write_sample_run(MPI_COMM_WORLD, parent.path());
  const auto snapshot = RunFolder(run).snapshot_files().of(10);
  const std::string output = (parent.path() / "state.png").string();
  EXPECT_EQ(status_of(MPI_COMM_WORLD, "'" + test::source_dir().string() +
                                          "/scripts/picture' --matplotlib '" + snapshot.string() +
                                          "' --size 320 200 --output '" + output + "'"),
            0);
  std::ifstream file(output, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  EXPECT_GT(bytes.size(), 5000U);  // an empty picture of this size is smaller
}

}  // namespace
}  // namespace scree::paraview_test
