#include "scree/io/run_folder/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "scree/base/check.hpp"
#include "scree/io/hdf5/hdf5.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// So that a name survives, too. File systems that cannot flush folders are left to themselves.
void flush_folder(const fs::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY);
  if (folder < 0) return;
  static_cast<void>(fsync(folder));
  close(folder);
}

/// Removes what an earlier start left under the name of a file that is to be written: through a
/// link by that name what it points to would be overwritten. A folder stays, and is in the way.
void clear_way(const fs::path& part) {
  unlink(part.c_str());
}

/// Reserves @p bytes of disk for the file: HDF5 gives back on closing what it did not use. File
/// systems that cannot reserve are left to themselves.
void reserve(const fs::path& path, std::int64_t bytes) {
  const int file = open(path.c_str(), O_WRONLY);
  const int code = file < 0 ? -1 : fallocate(file, 0, 0, bytes);
  const int error = errno;
  if (file >= 0) close(file);
  if (code != 0 && error != EOPNOTSUPP && error != ENOSYS) {
    throw Failure(
        fmt::format("{} bytes cannot be had on this disk: {}", bytes, std::strerror(error)));
  }
}

/// A file that is changed in place; none where it cannot be opened, or is a link.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path) : file_(open(path.c_str(), O_RDWR | O_NOFOLLOW)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  int get() const { return file_; }

  /// Bytes; -1 where there is none.
  off_t size() const { return lseek(file_, 0, SEEK_END); }

  /// As many bytes as there are of those asked for.
  std::string read(off_t at, std::size_t bytes) const {
    std::string text(bytes, '\0');
    const ssize_t got = pread(file_, text.data(), bytes, at);
    text.resize(static_cast<std::size_t>(std::max(got, ssize_t{0})));
    return text;
  }

  /// Whether all of @p text was written.
  bool write(off_t at, std::string_view text) const {
    while (!text.empty()) {
      const ssize_t done = pwrite(file_, text.data(), text.size(), at);
      if (done <= 0) return false;
      at += done;
      text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }

 private:
  int file_;
};

}  // namespace

void flush_to_disk(const fs::path& path) {
  const int file = open(path.c_str(), O_WRONLY);
  const int code = file < 0 ? -1 : fsync(file);
  const int error = errno;
  if (file >= 0) close(file);
  if (code != 0) {
    throw Failure(fmt::format("{}: cannot be flushed: {}", path.string(), std::strerror(error)));
  }
}

void publish(const fs::path& temporary, const fs::path& path) {
  flush_to_disk(temporary);
  std::error_code code;
  fs::rename(temporary, path, code);
  if (code) {
    throw Failure(fmt::format("{}: cannot be renamed to {}: {}", temporary.string(),
                              path.filename().string(), code.message()));
  }
  flush_folder(path.parent_path());
}

fs::path part_of(const fs::path& path) {
  return path.string() + ".part";
}

void write_whole(const fs::path& path, const std::string& text) {
  const fs::path temporary = part_of(path);
  const auto fail = [&path] {
    throw Failure(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  };
  clear_way(temporary);
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  if (!file) fail();
  try {
    file << text;
    file.close();
    if (!file) fail();
    publish(temporary, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

bool replace_end(const fs::path& path, const std::string& end, const std::string& text) {
  const OpenFile file(path);
  const off_t at = file.size() - static_cast<off_t>(end.size());
  if (at < 0 || file.read(at, end.size()) != end) return false;
  if (file.write(at, text) && fsync(file.get()) == 0) return true;
  const int error = errno;
  const bool is_restored =
      file.write(at, end) && ftruncate(file.get(), at + static_cast<off_t>(end.size())) == 0;
  throw Failure(fmt::format("{}: cannot be written: {}{}", path.string(), std::strerror(error),
                            is_restored ? "" : "; its end is damaged"));
}

namespace {

/// Opens a file by the name that it gets while it is not whole. Collective.
using OpenPart = std::function<h5::File(const fs::path&)>;

void fill_and_publish(MPI_Comm comm, const fs::path& path, const WholeFileSpec& spec,
                      const OpenPart& open_part, const std::function<void(hid_t)>& write,
                      const std::function<void(const fs::path&)>& finish) {
  const fs::path part = part_of(path);
  const bool is_first = rank_of(comm) == 0;
  try {
    h5::File file;
    together(comm, [&] {
      if (is_first) clear_way(part);
    });
    together(comm, [&] { file = open_part(part); });
    together(comm, [&] {
      if (is_first) reserve(part, spec.bytes);
    });
    write(file.get());
    together(comm, [&] { file.close(); });
    if (finish) finish(part);
    together(comm, [&] {
      if (is_first) publish(part, path);
    });
  } catch (const Failure& failure) {
    if (is_first) clear_way(part);
    throw Failure(
        fmt::format("the {} {} was not written: {}", spec.kind, path.string(), failure.what()));
  }
}

}  // namespace

void write_whole_hdf5(MPI_Comm comm, const fs::path& path, const WholeFileSpec& spec,
                      const std::function<void(hid_t)>& write,
                      const std::function<void(const fs::path&)>& finish) {
  fill_and_publish(
      comm, path, spec,
      [&](const fs::path& part) { return h5::create_file(comm, part, spec.user_block); }, write,
      finish);
}

void change_whole_hdf5(MPI_Comm comm, const fs::path& source, const fs::path& path,
                       const WholeFileSpec& spec, const std::function<void(hid_t)>& change) {
  fill_and_publish(comm, path, spec,
                   [&](const fs::path& part) {
                     together(comm, [&] {
                       if (rank_of(comm) > 0) return;
                       fs::copy_file(source, part);
                       fs::permissions(part, fs::perms::owner_write, fs::perm_options::add);
                     });
                     return h5::open_to_change(comm, part);
                   },
                   change, {});
}

}  // namespace scree
