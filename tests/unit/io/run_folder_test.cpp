#include "scree/io/run_folder/run_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scree/io/run_folder/whole_file.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

StepFileNames problems_of(const RunFolder& folder) {
  return {folder.root() / "problems", "step", "hdf5"};
}

/// A run that may have a table, snapshots and problems.
RunFiles files_of_run(const RunFolder& folder) {
  return {.single = {folder.steps()},
          .of_steps = {folder.snapshot_files(), problems_of(folder)},
          .folders_at_start = {folder.snapshots()},
          .folders_later = {problems_of(folder).folder},
          .long_names = {}};
}

TEST(RunFolder, HoldsTheConfigurationAndIsNotOverwrittenUnasked) {
  const test::TemporaryFolder parent;
  const fs::path root = parent.path() / "a" / "run";
  const auto folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false, files_of_run);
  EXPECT_EQ(text_in(folder.config()), "name: x\n");
  EXPECT_TRUE(fs::is_directory(folder.snapshots()));
  try {
    RunFolder::create(MPI_COMM_SELF, root, "name: y\n", false, files_of_run);
    FAIL() << "no exception";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("holds a run already"), std::string::npos) << text;
    EXPECT_NE(text.find("--output DIR"), std::string::npos) << text;
  }
  EXPECT_EQ(text_in(folder.config()), "name: x\n");
}

TEST(RunFolder, OverwritingRemovesTheOldRunAndNothingElse) {
  const test::TemporaryFolder parent;
  const fs::path root = parent.path() / "run";
  const auto folder = RunFolder::create(MPI_COMM_SELF, root, "name: x\n", false, files_of_run);
  const fs::path problems = problems_of(folder).folder;
  fs::create_directory(problems);
  const fs::path problem = problems / "step_00000005.hdf5";
  const fs::path solved = problems / "step_00000005_solved.hdf5";
  for (const fs::path& path : {folder.snapshot_files().of(3), folder.steps(), root / "my.txt",
                               folder.snapshots() / "my.txt", problem, solved}) {
    std::ofstream(path) << "old";
  }
  RunFolder::create(MPI_COMM_SELF, root, "name: y\n", true, files_of_run);
  EXPECT_EQ(text_in(folder.config()), "name: y\n");
  EXPECT_FALSE(fs::exists(folder.snapshot_files().of(3)));
  EXPECT_FALSE(fs::exists(folder.steps()));
  EXPECT_FALSE(fs::exists(problem));
  EXPECT_TRUE(fs::exists(solved));
  EXPECT_TRUE(fs::exists(root / "my.txt"));
  EXPECT_TRUE(fs::exists(folder.snapshots() / "my.txt"));
}

TEST(RunFolder, ItsPathLeavesRoomForTheLongestOfItsFiles) {
  const auto long_names = [](const RunFolder& folder) {
    RunFiles files = files_of_run(folder);
    files.long_names.push_back(folder.root() / std::string(200, 'n'));
    return files;
  };
  std::string root;
  while (root.size() < 3900) root += "/" + std::string(99, 'r');
  EXPECT_EQ(fault_of_place(RunFolder(root), files_of_run), "");
  EXPECT_EQ(fault_of_place(RunFolder(root), long_names),
            "a path of 3900 bytes; at most 3889 leave room for the names of a run's files; give "
            "another folder with --output DIR");
}

TEST(RunFolder, FoldersOfOthersAreRefusedAndItsOwnAreNot) {
  const test::TemporaryFolder parent;
  const RunFolder folder(parent.path());
  fs::create_directory(folder.snapshots());
  fs::create_directory(problems_of(folder).folder);
  EXPECT_EQ(fault_of_place(folder, files_of_run), "");
  fs::create_directory(folder.root() / "fields");
  EXPECT_EQ(fault_of_place(folder, files_of_run).substr(0, 24), "holds fields, and no run");
}

TEST(RunFolder, TheLastStepIsThatOfItsFiles) {
  const test::TemporaryFolder parent;
  const RunFolder folder(parent.path());
  EXPECT_EQ(last_step_of_files(folder, files_of_run), 0);
  fs::create_directory(folder.snapshots());
  std::ofstream(folder.snapshot_files().of(12)) << "whole";
  EXPECT_EQ(last_step_of_files(folder, files_of_run), 12);
  std::ofstream(part_of(folder.snapshot_files().of(14, 1, 2))) << "torn";
  std::ofstream(folder.snapshots() / "mine_00000020.hdf") << "mine";
  EXPECT_EQ(last_step_of_files(folder, files_of_run), 14);
}

TEST(RunFolder, AFolderThatCannotBeMadeIsTheUsersMistake) {
  const test::TemporaryFolder parent;
  std::ofstream(parent.path() / "file") << "not a folder";
  for (const auto& [root, reason] :
       {std::pair{parent.path() / "file" / "run", "Not a directory"},
        std::pair{fs::path("/proc/scree"), "No such file or directory"}}) {
    try {
      RunFolder::create(MPI_COMM_SELF, root, "", false, files_of_run);
      FAIL() << "no exception for " << root;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), root.string() + ": the folder of the run cannot be made: " + reason +
                                  "; give another with --output DIR");
    }
  }
}

TEST(RunFolder, DirectoryIsRelativeToTheConfigurationFile) {
  EXPECT_EQ(run_directory("", "trench", "/cases/t.yaml"), fs::current_path() / "output" / "trench");
  EXPECT_EQ(run_directory("here", "trench", "/cases/t.yaml"), "/cases/here");
  EXPECT_EQ(run_directory("/there", "trench", "/cases/t.yaml"), "/there");
}

TEST(RunFolder, WritingWholeLeavesTheOldTextWhenItFails) {
  const test::TemporaryFolder parent;
  const fs::path path = parent.path() / "text";
  write_whole(path, "one");
  fs::create_directory(path.string() + ".part");  // in the way of the temporary file
  EXPECT_THROW(write_whole(path, "two"), Failure);
  EXPECT_EQ(text_in(path), "one");
  EXPECT_TRUE(fs::exists(path.string() + ".part")) << "what was there is not its own to remove";
}

}  // namespace
}  // namespace scree
