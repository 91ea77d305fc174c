#pragma once

/// Files that appear under their name only when they are whole: written beside it as NAME.part,
/// flushed to the disk, then renamed. What was under the name before is untouched until then.

#include <hdf5.h>
#include <mpi.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "scree/base/parallel.hpp"

namespace scree {

/// The name beside @p path under which it is written until it is whole: PATH.part.
std::filesystem::path part_of(const std::filesystem::path& path);

/// Puts @p text under @p path. Not collective. @throws Failure; then nothing has changed.
void write_whole(const std::filesystem::path& path, const std::string& text);

/// Puts @p text in the place of @p end, with which a file ends, and flushes it to the disk. Costs
/// the same however long the file is. Returns whether that was done: not where there is no such
/// file, or but a link by its name, or where it does not end so. Not collective. @throws Failure
/// when it cannot be written; then the file ends as it did.
bool replace_end(const std::filesystem::path& path, const std::string& end,
                 const std::string& text);

/// Flushes @p temporary to the disk and renames it to @p path. Not collective. @throws Failure.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// fsync of a file. Not collective. @throws Failure when it cannot be flushed.
void flush_to_disk(const std::filesystem::path& path);

/// Runs one piece of collective work on every rank; when it fails on any, throws on all, so that
/// none is left waiting in the next piece. Collective.
template <class Work>
void together(MPI_Comm comm, Work&& work) {
  std::string problem;
  try {
    work();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  fail_together(comm, problem);
}

/// The kind of an HDF5 file that all ranks write.
struct WholeFileSpec {
  std::string_view kind;        ///< for messages: `snapshot`, `checkpoint`
  std::int64_t bytes = 0;       ///< an upper bound of its size, reserved on the disk beforehand
  std::int64_t user_block = 0;  ///< bytes kept free at its start; 0 or a power of 2 from 512
};

/// Creates an HDF5 file, lets @p write fill it, closes it, and lets @p finish treat the closed file
/// (by the path given to it) before it gets its name @p path. Collective: both on every rank.
/// @throws Failure on all ranks; then nothing has changed. A full disk is met before anything is
/// written where the file system can reserve space, since HDF5 cannot close a file whose writes
/// have failed.
void write_whole_hdf5(MPI_Comm comm, const std::filesystem::path& path, const WholeFileSpec& spec,
                      const std::function<void(hid_t)>& write,
                      const std::function<void(const std::filesystem::path&)>& finish = {});

/// Writes a copy of the HDF5 file @p source, which may be @p path itself, that @p change changes,
/// as write_whole_hdf5 does with an empty one. @p spec.bytes: of the copy with what is added.
void change_whole_hdf5(MPI_Comm comm, const std::filesystem::path& source,
                       const std::filesystem::path& path, const WholeFileSpec& spec,
                       const std::function<void(hid_t)>& change);

}  // namespace scree
