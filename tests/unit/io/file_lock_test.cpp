#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "scree/base/check.hpp"
#include "scree/io/run_folder/file_lock.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

TEST(FileLock, IsHadOnce) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "lock";
  {
    std::optional<FileLock> first = FileLock::take(file);
    ASSERT_TRUE(first);
    EXPECT_FALSE(FileLock::take(file));
    EXPECT_TRUE(holder_of(file).starts_with("process " + std::to_string(getpid()) + " on "))
        << holder_of(file);
    const FileLock moved = std::move(*first);
    first.reset();
    EXPECT_FALSE(FileLock::take(file));
  }
  EXPECT_TRUE(FileLock::take(file));
}

/// A lock that a killed process leaves behind locks nothing.
TEST(FileLock, EndsWithTheProcessThatHasIt) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "lock";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::optional<FileLock> lock = FileLock::take(file);
    const char byte = lock ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char byte = '?';
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_FALSE(FileLock::take(file));
  EXPECT_TRUE(holder_of(file).starts_with("process " + std::to_string(child) + " on "));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock::take(file));
  close(ready[0]);
  close(ready[1]);
}

TEST(FileLock, NamesWhoLeftItBehind) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "lock";
  const std::string name = "process " + std::to_string(getpid()) + " on ";
  EXPECT_EQ(FileLock::take(file)->left_by(), "");  // let go of, and left where it is
  std::optional<FileLock> lock = FileLock::take(file);
  EXPECT_TRUE(lock->left_by().starts_with(name)) << lock->left_by();
  lock->remove();
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(FileLock::take(file)->left_by(), "");
}

/// One who opened the file before it was removed has the lock of nothing: the next lock is that of
/// the new file.
TEST(FileLock, OfARemovedFileIsNone) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "lock";
  std::optional<FileLock> old = FileLock::take(file);
  std::filesystem::remove(file);
  const std::optional<FileLock> next = FileLock::take(file);
  ASSERT_TRUE(next);
  EXPECT_FALSE(FileLock::take(file));
}

TEST(FileLock, IsNotTakenThroughALink) {
  const test::TemporaryFolder folder;
  const auto target = folder.path() / "precious";
  std::ofstream(target) << "precious";
  std::filesystem::create_symlink(target, folder.path() / "lock");
  EXPECT_THROW(FileLock::take(folder.path() / "lock"), InputError);
  EXPECT_EQ(std::filesystem::file_size(target), 8U);
}

TEST(FileLock, CannotBeWhereNoFileCanBe) {
  EXPECT_THROW(FileLock::take("/proc/none/lock"), InputError);
}

}  // namespace
}  // namespace scree
