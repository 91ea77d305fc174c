#include "scree/io/file_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

#include "scree/base/check.hpp"

namespace scree {
namespace {

std::string own_name() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return fmt::format("process {} on {}, since {:%Y-%m-%d %H:%M:%S}\n", getpid(), host.data(),
                     fmt::localtime(std::time(nullptr)));
}

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  throw InputError(
      fmt::format("{}: cannot be locked: {}; give a folder of your own, on a file system with "
                  "locks, with --output",
                  path.string(), std::strerror(error)));
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) refuse(path, errno);
  FileLock lock(file);
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    refuse(path, errno);
  }
  const std::string name = own_name();
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, name.data(), name.size(), 0) != static_cast<ssize_t>(name.size())) {
    refuse(path, errno);
  }
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

FileLock::~FileLock() {
  if (file_ >= 0) close(file_);
}

std::string holder_of(const std::filesystem::path& path) {
  std::string text;
  std::getline(std::ifstream(path), text);
  return text.empty() ? "a process that has not said its name yet" : text;
}

}  // namespace scree
