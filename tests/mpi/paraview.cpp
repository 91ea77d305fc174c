// ranks: 1 3
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "scree/base/parallel.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/snapshot.hpp"
#include "scree/io/xdmf.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

/// Writes a run's folder: grains that fall, fewer from time to time, at last none; the last of
/// several ranks never has any.
/// SCREE_KEEP_RUN names a place to write it to where someone wants to look at it.
std::filesystem::path write_sample_run(MPI_Comm comm, const std::filesystem::path& parent) {
  const char* kept = std::getenv("SCREE_KEEP_RUN");
  const auto folder = RunFolder::create(comm, kept ? std::filesystem::path(kept) : parent / "run",
                                        "name: sample\n", true);
  const int writers = std::max(1, size_of(comm) - 1);
  XdmfIndex index(folder.xdmf());
  for (int step = 0; step <= 3; ++step) {
    const std::int64_t n = step == 3 ? 0 : 140 - 20 * step;
    Store store = rank_of(comm) < writers ? test::sample_store(rank_of(comm), n, writers)
                                          : test::sample_store(0, 0, 1);
    for (Vec3& position : store.position) position.z() -= 0.01 * step;
    const SnapshotInfo info = write_snapshot(comm, folder.snapshot(10 * step), store,
                                             {.time = 0.125 * step,
                                              .step = 10 * step,
                                              .dt = 0.0125,
                                              .configuration = "name: sample\n",
                                              .materials = {"gravel", "steel"},
                                              .groups = {"a", "b", "c"},
                                              .tools = {"floor", "blade"}});
    if (rank_of(comm) == 0) index.add(info);
  }
  return folder.root();
}

TEST(ParaView, ReadsARunAsItWasWritten) {
  const test::TemporaryFolder parent(MPI_COMM_WORLD);
  const auto run = write_sample_run(MPI_COMM_WORLD, parent.path());
  int status = 0;
  if (rank_of(MPI_COMM_WORLD) == 0) {
    const std::string script = SCREE_SOURCE_DIR "/tests/runs/paraview/check_paraview.py";
    status = std::system(("/usr/bin/python3 '" + script + "' '" + run.string() + "'").c_str());
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  status = max_over_ranks(MPI_COMM_WORLD, status);
  if (status == 77) GTEST_SKIP() << "pvbatch is not installed";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace scree
