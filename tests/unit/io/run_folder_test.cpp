#include "scree/io/run_folder/run_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scree/io/run_folder/whole_file.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(RunFolder, HoldsTheConfigurationAndIsNotOverwrittenUnasked) {
  const test::TemporaryFolder parent;
  const fs::path root = parent.path() / "a" / "run";
  const auto folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false);
  EXPECT_EQ(text_of(folder.config()), "name: x\n");
  EXPECT_TRUE(fs::is_directory(folder.snapshots()));
  try {
    RunFolder::create(MPI_COMM_SELF, root, "name: y\n", false);
    FAIL() << "no exception";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("holds a run already"), std::string::npos) << text;
    EXPECT_NE(text.find("--output DIR"), std::string::npos) << text;
  }
  EXPECT_EQ(text_of(folder.config()), "name: x\n");
}

TEST(RunFolder, OverwritingRemovesTheOldRunAndNothingElse) {
  const test::TemporaryFolder parent;
  const fs::path root = parent.path() / "run";
  const auto folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false);
  fs::create_directory(folder.problems());
  const fs::path problem = folder.problems() / "step_00000005.hdf5";
  const fs::path solved = folder.problems() / "step_00000005_solved.hdf5";
  for (const fs::path& path : {folder.snapshot(3), folder.xdmf(), folder.steps(), root / "my.txt",
                               folder.snapshots() / "my.txt", problem, solved}) {
    std::ofstream(path) << "old";
  }
  RunFolder::create(MPI_COMM_SELF, root, "name: y\n", true);
  EXPECT_EQ(text_of(folder.config()), "name: y\n");
  EXPECT_FALSE(fs::exists(folder.snapshot(3)));
  EXPECT_FALSE(fs::exists(folder.xdmf()));
  EXPECT_FALSE(fs::exists(folder.steps()));
  EXPECT_FALSE(fs::exists(problem));
  EXPECT_TRUE(fs::exists(solved));
  EXPECT_TRUE(fs::exists(root / "my.txt"));
  EXPECT_TRUE(fs::exists(folder.snapshots() / "my.txt"));
}

TEST(RunFolder, OverwritingRemovesFieldsThatAnIndexNames) {
  const test::TemporaryFolder parent;
  const fs::path root = parent.path() / "run";
  const auto folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false);
  fs::create_directory(folder.fields());
  const std::vector<fs::path> old{folder.field_image("up", 3), folder.field_image("up", 4, 1, 2),
                                  folder.field_index("up"), folder.field_table("up")};
  const std::vector<fs::path> others{folder.fields() / "mine.csv", folder.fields() / "up_3.png",
                                     folder.fields() / "a(b.xdmf"};
  for (const auto& paths : {old, others}) {
    for (const fs::path& path : paths) std::ofstream(path) << "old";
  }
  RunFolder::create(MPI_COMM_SELF, root, "name: y\n", true);
  for (const fs::path& path : old) EXPECT_FALSE(fs::exists(path)) << path;
  for (const fs::path& path : others) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST(RunFolder, AFolderThatCannotBeMadeIsTheUsersMistake) {
  const test::TemporaryFolder parent;
  std::ofstream(parent.path() / "file") << "not a folder";
  for (const auto& [root, reason] :
       {std::pair{parent.path() / "file" / "run", "Not a directory"},
        std::pair{fs::path("/proc/scree"), "No such file or directory"}}) {
    try {
      RunFolder::create(MPI_COMM_SELF, root, "", false);
      FAIL() << "no exception for " << root;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), root.string() + ": the folder of the run cannot be made: " + reason +
                                  "; give another with --output DIR");
    }
  }
}

TEST(RunFolder, DirectoryIsRelativeToTheConfigurationFile) {
  OutputOptions options;
  EXPECT_EQ(run_directory(options, "trench", "/cases/t.yaml"),
            fs::current_path() / "output" / "trench");
  options.directory = "here";
  EXPECT_EQ(run_directory(options, "trench", "/cases/t.yaml"), "/cases/here");
  options.directory = "/there";
  EXPECT_EQ(run_directory(options, "trench", "/cases/t.yaml"), "/there");
}

TEST(RunFolder, WritingWholeLeavesTheOldTextWhenItFails) {
  const test::TemporaryFolder parent;
  const fs::path path = parent.path() / "text";
  write_whole(path, "one");
  fs::create_directory(path.string() + ".part");  // in the way of the temporary file
  EXPECT_THROW(write_whole(path, "two"), Failure);
  EXPECT_EQ(text_of(path), "one");
  EXPECT_TRUE(fs::exists(path.string() + ".part")) << "what was there is not its own to remove";
}

std::vector<int> steps_due(Schedule schedule, int first, int last, double dt) {
  std::vector<int> due;
  for (int step = first; step <= last; ++step) {
    if (schedule.due(step * dt, dt)) due.push_back(step);
  }
  return due;
}

TEST(Schedule, IsDueAtTheStepNearestToEachMultiple) {
  EXPECT_EQ(steps_due(Schedule(0.1, 0.0, 0.03), 1, 11, 0.03), (std::vector<int>{3, 7, 10}));
  EXPECT_EQ(steps_due(Schedule(0.0, 0.0, 0.03), 1, 11, 0.03), std::vector<int>{});
}

TEST(Schedule, GoesOnFromAnyStepAsIfItHadNotStopped) {
  const double dt = 0.03;
  const std::vector<int> all = steps_due(Schedule(0.1, 0.0, dt), 1, 100, dt);
  for (int stop = 1; stop < 100; ++stop) {
    std::vector<int> parts = steps_due(Schedule(0.1, 0.0, dt), 1, stop, dt);
    for (const int step : steps_due(Schedule(0.1, stop * dt, dt), stop + 1, 100, dt)) {
      parts.push_back(step);
    }
    EXPECT_EQ(parts, all) << "stopped after " << stop;
  }
}

TEST(Schedule, DoesNotSlipOverMillionsOfSteps) {
  Schedule schedule(0.1, 0.0, 1e-3);
  int count = 0;
  double time = 0.0;
  for (int step = 1; step <= 1'000'000; ++step) {
    time += 1e-3;  // with its rounding
    count += schedule.due(time, 1e-3);
  }
  EXPECT_EQ(count, 10'000);
}

}  // namespace
}  // namespace scree
