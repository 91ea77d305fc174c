#pragma once

/// HDF5 for the project: owners of its handles, its one error check, and the few readers and
/// writers that snapshots, checkpoints and FCLIB files need. HDF5 is called in src/io only.
///
/// Reading is not collective (each rank opens the file for itself, or rank 0 alone does) unless the
/// file was opened with a communicator. What the file lacks or holds in another form is the user's
/// mistake (InputError naming file and dataset); what HDF5 cannot do is a Failure that carries the
/// library's own words (LibraryFailure). Where a user's file is read, in reading(), that is the
/// file's fault and an InputError, too. HDF5 prints nothing by itself.

#include <hdf5.h>
#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {
struct NumberRows;  // io/hdf5/number_rows.hpp
}

namespace scree::h5 {

/// Switches off HDF5's printing of its error stack, once. Not collective.
void silence();

/// A call that HDF5 could not fulfil.
struct LibraryFailure : Failure {
  /// @param what the whole message; @param about the object, if known, and HDF5's explanation, for
  /// users
  LibraryFailure(const std::string& what, std::string about)
      : Failure(what), in_words(std::move(about)) {}
  std::string in_words;
};

/// Throws LibraryFailure naming @p call, its place and HDF5's own explanation. Not collective.
[[noreturn]] void fail(const char* call, std::source_location place);

/// Gives @p code back, or fails when it is negative. Not collective.
template <class Code>
Code check(Code code, const char* call,
           std::source_location place = std::source_location::current()) {
  if (code < 0) fail(call, place);
  return code;
}

}  // namespace scree::h5

/// The value of an HDF5 call, checked: every call of the library goes through this.
#define SCREE_HDF5(call) ::scree::h5::check((::scree::h5::silence(), (call)), #call)

namespace scree::h5 {

/// Owner of a handle: move-only, emptied on move, closed once.
template <herr_t (*Close)(hid_t)>
class Owner {
 public:
  Owner() = default;
  /// Takes over @p handle, which the caller must not close.
  explicit Owner(hid_t handle) noexcept : handle_(handle) {}
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, H5I_INVALID_HID)) {}
  Owner& operator=(Owner&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, H5I_INVALID_HID);
    }
    return *this;
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { reset(); }

  hid_t get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ >= 0; }
  /// A destructor cannot throw; where the closing may fail (a file that was written), call close().
  void reset() noexcept {
    if (handle_ >= 0) static_cast<void>(Close(handle_));
    handle_ = H5I_INVALID_HID;
  }
  /// Closes. @throws Failure when the library cannot.
  void close() {
    if (handle_ >= 0) SCREE_HDF5(Close(std::exchange(handle_, H5I_INVALID_HID)));
  }

 private:
  hid_t handle_ = H5I_INVALID_HID;
};

using File = Owner<H5Fclose>;
using Group = Owner<H5Gclose>;
using Dataset = Owner<H5Dclose>;
using Space = Owner<H5Sclose>;
using Type = Owner<H5Tclose>;
using Properties = Owner<H5Pclose>;
using Attribute = Owner<H5Aclose>;

/// Throws the InputError that @p path is damaged, as @p in_words tells. Not collective.
[[noreturn]] void refuse_damaged(const std::filesystem::path& path, const std::string& in_words);

/// The result of @p read, which reads @p path: what HDF5 cannot do in it is the file's fault.
/// As collective as @p read. @throws InputError.
template <class Read>
decltype(auto) reading(const std::filesystem::path& path, Read&& read) {
  try {
    return read();
  } catch (const LibraryFailure& failure) {
    refuse_damaged(path, failure.in_words);
  }
}

// Opening and creating ---------------------------------------------------------------------------

/// Opens @p path for reading. Not collective.
/// @throws InputError when there is no such file, it cannot be read, or it is not HDF5.
File open_file(const std::filesystem::path& path);
/// Opens @p path to be read through MPI-IO, on all ranks of @p comm together. Collective.
File open_file(MPI_Comm comm, const std::filesystem::path& path);

/// Opens @p path to be read and changed through MPI-IO. Collective.
File open_to_change(MPI_Comm comm, const std::filesystem::path& path);

/// Creates @p path, empty, replacing what is there, through MPI-IO, on all ranks of @p comm
/// together. HDF5 leaves the first @p user_block bytes alone: 0 or a power of 2 from 512.
/// Collective.
File create_file(MPI_Comm comm, const std::filesystem::path& path, std::int64_t user_block = 0);

/// Files in memory, for what is to reach the disk whole: HDF5 cannot close a file whose writes have
/// failed, as on a full disk. Not collective.
File create_in_memory();
/// The bytes that @p file would have on disk.
std::string image(const File& file);

/// Is there an object at @p name (a path below @p object, as `fclib_local/W/x`)?
bool exists(hid_t object, const std::string& name);
/// Is there a group, or a dataset, at @p name?
bool is_group(hid_t object, const std::string& name);
bool is_dataset(hid_t object, const std::string& name);
/// The names in a group, in alphabetical order.
std::vector<std::string> children(hid_t group);

Group open_group(hid_t object, const std::string& name);
/// Makes a group, with those above it that are missing. Collective in a file opened with ranks.
Group create_group(hid_t object, const std::string& name);

// Datasets ---------------------------------------------------------------------------------------
// T is double, float, std::int32_t, std::int64_t or std::uint8_t.

/// The lengths of the dimensions of a dataset; empty for a scalar.
std::vector<std::int64_t> extents(hid_t object, const std::string& name);
/// The number of entries of a dataset: the product of its extents.
std::int64_t count(hid_t object, const std::string& name);

/// All entries of a dataset, in row-major order. Not collective.
/// @throws InputError when it is missing, is not of numbers, holds fractions where integers are
/// wanted, an integer that T cannot hold, or claims more entries than a file of its length can
/// hold.
template <class T>
std::vector<T> read(hid_t object, const std::string& name);
/// Its entries [@p first, @p first + @p n), in the same order. Not collective. @pre it has so many.
/// @throws InputError as read().
template <class T>
std::vector<T> read_part(hid_t object, const std::string& name, std::int64_t first, std::int64_t n);
/// The one entry of a dataset. @throws InputError as read(), and when it has not exactly one.
template <class T>
T read_scalar(hid_t object, const std::string& name);

/// Writes @p values as a new dataset, one-dimensional unless @p width columns are asked for.
/// Not collective: files in memory only. @pre width divides values.size().
template <class T>
void write(hid_t object, const std::string& name, std::span<const T> values, int width = 1);
template <class T>
void write(hid_t object, const std::string& name, const std::vector<T>& values, int width = 1) {
  write(object, name, std::span<const T>(values), width);
}
/// Writes a scalar as a dataset of one entry, as FCLIB does. Files in memory only.
template <class T>
void write_scalar(hid_t object, const std::string& name, T value) {
  write(object, name, std::span<const T>(&value, 1));
}
/// Writes a text as a scalar string dataset. Collective in a file created with a communicator: the
/// same text on every rank, written by the one on which @p writes is true.
void write_text(hid_t object, const std::string& name, const std::string& text, bool writes = true);
/// Reads what write_text (or another program, variable length included) wrote.
std::string read_text(hid_t object, const std::string& name);

/// Writes texts as a one-dimensional dataset of strings, as long as the longest. Files in memory
/// only.
void write_texts(hid_t object, const std::string& name, std::span<const std::string> texts);
/// Does the dataset hold strings?
bool holds_texts(hid_t object, const std::string& name);
/// Reads what write_texts wrote. @throws InputError when it is no dataset of strings of one length.
std::vector<std::string> read_texts(hid_t object, const std::string& name);

/// How the rows of a dataset lie over the ranks: rank by rank, in the order of the ranks.
struct RowLayout {
  std::int64_t local = 0;  ///< rows of this rank
  std::int64_t first = 0;  ///< rows of the lower ranks
  std::int64_t total = 0;
  std::int64_t most = 0;  ///< rows of the rank that has the most
};
/// Collective.
RowLayout row_layout(MPI_Comm comm, std::int64_t local_rows);
/// All @p rows are the first rank's. Not collective.
RowLayout rows_of_first_rank(MPI_Comm comm, std::int64_t rows);

/// How the numbers of a dataset lie in the file: as they are, or in chunks that are shuffled and
/// deflated (small datasets, of which nothing is saved, as they are).
enum class Storage { plain, packed };
/// An upper bound of what a dataset with its attributes takes in a file, bytes.
std::int64_t size_bound(std::int64_t rows, int width, int precision, Storage storage);

/// Writes each rank's rows of a new dataset, `total x width`, or one-dimensional where width is 1.
/// Collective: all ranks, those without rows too. @pre the file was created with a communicator;
/// values.size() == layout.local * width.
template <class T>
void write_rows(hid_t object, const std::string& name, const RowLayout& layout,
                std::span<const T> values, int width = 1, Storage storage = Storage::plain);
/// Writes rows that are made as they are written: few at a time, by each rank for itself, where a
/// plain dataset is large. Collective. What a rank throws that cannot make its rows, it throws
/// alone.
void write_rows(hid_t object, const std::string& name, const RowLayout& layout,
                const NumberRows& rows, Storage storage = Storage::plain);

/// Writes each rank's @p values, from the entry @p first on, of a new dataset of as many dimensions
/// as it has @p lengths, the last running fastest; a rank may have none. Collective. @pre the file
/// was created with a communicator.
void write_block(hid_t object, const std::string& name, std::span<const std::int64_t> lengths,
                 std::int64_t first, std::span<const double> values);

/// A new dataset of @p total numbers, to be filled by write_part. Collective. @pre the file was
/// created or opened with a communicator.
template <class T>
Dataset create_numbers(hid_t object, const std::string& name, std::int64_t total);
/// Writes each rank's @p values, from @p first on; a rank may have none. Collective.
template <class T>
void write_part(const Dataset& dataset, std::int64_t first, std::span<const T> values);

/// Reads rows [@p first, @p first + @p rows) of a dataset that write_rows wrote, bit for bit; of
/// numbers in single precision the same values as doubles. Collective: all ranks, those without
/// rows too. @pre the file was opened with a communicator.
/// @throws InputError when it is missing, or of another type, width or fewer rows.
template <class T>
std::vector<T> read_rows(hid_t object, const std::string& name, std::int64_t first,
                         std::int64_t rows, int width = 1);

// Attributes -------------------------------------------------------------------------------------
// Writing is collective in a file created with a communicator: the same value on every rank.

bool has_attribute(hid_t object, const std::string& name);
/// The names of an object's attributes, in alphabetical order.
std::vector<std::string> attributes(hid_t object);

void write_attribute(hid_t object, const std::string& name, const std::string& text);
template <class T>
void write_attribute(hid_t object, const std::string& name, std::span<const T> values);
template <class T>
void write_attribute(hid_t object, const std::string& name, T value) {
  write_attribute(object, name, std::span<const T>(&value, 1));
}
inline void write_attribute(hid_t object, const std::string& name, const char* text) {
  write_attribute(object, name, std::string(text));
}
/// Writes an attribute of the dataset of that name.
void write_attribute_of(hid_t object, const std::string& dataset, const std::string& name,
                        const std::string& text);

/// @throws InputError when it is missing or of another kind.
std::string read_text_attribute(hid_t object, const std::string& name);
std::string read_text_attribute_of(hid_t object, const std::string& dataset,
                                   const std::string& name);
template <class T>
std::vector<T> read_attribute(hid_t object, const std::string& name);
/// The one number of an attribute. @throws InputError as read_attribute(), and when it has not
/// exactly one.
template <class T>
T read_scalar_attribute(hid_t object, const std::string& name);

}  // namespace scree::h5
