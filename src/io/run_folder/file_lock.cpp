#include "scree/io/run_folder/file_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

namespace scree {
namespace {

std::string own_name() {
  return fmt::format("process {} on {}, since {:%Y-%m-%d %H:%M:%S}\n", getpid(), host_name(),
                     fmt::localtime(std::time(nullptr)));
}

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  const std::string text = fmt::format(
      "{}: cannot be locked: {}; give a folder of your own, on a file system with "
      "locks, with --output",
      path.string(), std::strerror(error));
  if (error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK) throw NoLocks(text);
  throw InputError(text);
}

/// Whether @p path still names the open @p file: who had the lock before may have removed it.
bool is_still_named(const std::filesystem::path& path, int file) {
  struct stat opened {};
  struct stat named {};
  return fstat(file, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& path) {
  while (true) {
    constexpr int kHow = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    int file = open(path.c_str(), kHow | O_EXCL, 0666);
    const bool made = file >= 0;
    if (!made && errno == EEXIST) file = open(path.c_str(), kHow, 0666);
    if (file < 0) refuse(path, errno);
    FileLock lock(path, file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      if (error == EWOULDBLOCK) return std::nullopt;
      // A file that was there may be another's, who works: errors of networks pass.
      if (made) lock.remove();
      refuse(path, error);
    }
    if (!is_still_named(path, file)) continue;
    std::getline(std::ifstream(path), lock.left_by_);
    const std::string name = own_name();
    if (ftruncate(file, 0) != 0 ||
        pwrite(file, name.data(), name.size(), 0) != static_cast<ssize_t>(name.size())) {
      const int error = errno;
      lock.remove();
      refuse(path, error);
    }
    return lock;
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      left_by_(std::move(other.left_by_)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(left_by_, other.left_by_);
  return *this;
}

void FileLock::remove() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(std::exchange(file_, -1));
}

FileLock::~FileLock() {
  if (file_ >= 0) close(file_);
}

std::string host_name() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return host.data();
}

std::string holder_of(const std::filesystem::path& path) {
  std::string text;
  std::getline(std::ifstream(path), text);
  return text.empty() ? "a process that has not written its name yet" : text;
}

}  // namespace scree
