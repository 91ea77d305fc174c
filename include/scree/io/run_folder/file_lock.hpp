#pragma once

/// A lock on what a folder holds: one process at a time. The file keeps who has it, for messages;
/// the kernel keeps the lock itself and lets go of it when the process ends in whatever way, so
/// that a lock that is left over locks nothing.
/// Reference: flock(2). Not collective.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "scree/base/check.hpp"

namespace scree {

/// The file system has no locks.
struct NoLocks : InputError {
  using InputError::InputError;
};

class FileLock {
 public:
  /// Makes @p path where it is not there, and locks it. None when another process has it.
  /// @throws NoLocks; InputError when the file cannot be made.
  static std::optional<FileLock> take(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// The open file that has the lock. A process that is started with it shares the lock, which then
  /// lasts until both have ended; others are started without it.
  int file() const { return file_; }

  /// Who had the lock last and ended without remove(), as holder_of() says it; empty: nobody.
  const std::string& left_by() const { return left_by_; }

  /// Removes the file, by the name that it was taken by, and lets go of the lock.
  void remove();

 private:
  FileLock(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  std::filesystem::path path_;
  int file_;
  std::string left_by_;
};

/// The name of this machine, as locks have it.
std::string host_name();

/// Who holds the lock of @p path, as it says of itself: `process 123 on HOST, since 2026-01-31
/// 12:00:00`.
std::string holder_of(const std::filesystem::path& path);

}  // namespace scree
