#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "hdf5_values.hpp"
#include "scree/base/parallel.hpp"

namespace scree::h5 {

std::vector<std::int64_t> extents(hid_t object, const std::string& name) {
  const Dataset dataset = open_dataset(object, name);
  const Space space(SCREE_HDF5(H5Dget_space(dataset.get())));
  const int rank = SCREE_HDF5(H5Sget_simple_extent_ndims(space.get()));
  std::vector<hsize_t> lengths(rank);
  SCREE_HDF5(H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr));
  return {lengths.begin(), lengths.end()};
}

std::int64_t count(hid_t object, const std::string& name) {
  const Dataset dataset = open_dataset(object, name);
  return points_in(Space(SCREE_HDF5(H5Dget_space(dataset.get()))).get());
}

template <class T>
std::vector<T> read(hid_t object, const std::string& name) {
  return at(object, name, [&] {
    const Dataset dataset = open_dataset(object, name);
    const Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
    const Space space(SCREE_HDF5(H5Dget_space(dataset.get())));
    refuse_too_many(object, name, points_in(space.get()), H5Tget_size(type.get()));
    return read_numbers<T>(
        type.get(), points_in(space.get()), place_of(object, name), [&](hid_t memory, void* data) {
          SCREE_HDF5(H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
        });
  });
}

template <class T>
T read_scalar(hid_t object, const std::string& name) {
  const std::vector<T> values = read<T>(object, name);
  if (values.size() != 1) {
    throw InputError(
        fmt::format("{}: one number expected, {} found", place_of(object, name), values.size()));
  }
  return values.front();
}

template <class T>
void write(hid_t object, const std::string& name, std::span<const T> values, int width) {
  const auto n = static_cast<std::int64_t>(values.size());
  SCREE_ASSERT(width > 0 && n % width == 0);
  at(object, name, [&] {
    const Space space = make_space(lengths_of(n / width, width));
    const Dataset dataset(SCREE_HDF5(H5Dcreate2(object, name.c_str(), native<T>(), space.get(),
                                                create_parents().get(), H5P_DEFAULT, H5P_DEFAULT)));
    if (n > 0) {
      SCREE_HDF5(
          H5Dwrite(dataset.get(), native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    }
  });
}

void write_block(hid_t object, const std::string& name, std::span<const double> values,
                 std::span<const std::int64_t> lengths) {
  const std::vector<hsize_t> all(lengths.begin(), lengths.end());
  const Space space = make_space(all);
  SCREE_ASSERT(points_in(space.get()) == static_cast<std::int64_t>(values.size()));
  at(object, name, [&] {
    const Dataset dataset(SCREE_HDF5(H5Dcreate2(object, name.c_str(), native<double>(), space.get(),
                                                create_parents().get(), H5P_DEFAULT, H5P_DEFAULT)));
    SCREE_HDF5(
        H5Dwrite(dataset.get(), native<double>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  });
}

void write_text(hid_t object, const std::string& name, const std::string& text, bool writes) {
  at(object, name, [&] {
    const Type type = text_type(text);
    const Space space(SCREE_HDF5(H5Screate(H5S_SCALAR)));
    const Dataset dataset(SCREE_HDF5(H5Dcreate2(object, name.c_str(), type.get(), space.get(),
                                                create_parents().get(), H5P_DEFAULT, H5P_DEFAULT)));
    if (!writes) return;
    SCREE_HDF5(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
  });
}

std::string read_text(hid_t object, const std::string& name) {
  return at(object, name, [&] {
    const Dataset dataset = open_dataset(object, name);
    const Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
    refuse_too_many(object, name, 1, H5Tget_size(type.get()));
    return read_string(
        type.get(), count(object, name), place_of(object, name), [&](hid_t memory, void* data) {
          SCREE_HDF5(H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
        });
  });
}

RowLayout row_layout(MPI_Comm comm, std::int64_t local_rows) {
  return {local_rows, sum_of_lower_ranks(comm, local_rows), sum_over_ranks(comm, local_rows)};
}

namespace {

/// Numbers of grains are hardly smaller at higher levels: a bed of a million by half a per cent at
/// 4, which takes a quarter more time.
constexpr unsigned kDeflateLevel = 1;

/// Whether numbers of @p type are those of T, or are without a change of value.
template <class T>
bool holds(hid_t type) {
  if (SCREE_HDF5(H5Tequal(type, native<T>())) > 0) return true;
  return std::is_same_v<T, double> && SCREE_HDF5(H5Tequal(type, H5T_NATIVE_FLOAT)) > 0;
}

/// The part of a dataset of rows that a rank reads or writes, in the file and in memory.
struct Selection {
  Space file;
  Space memory;
};

Selection select_rows(std::int64_t total, std::int64_t first, std::int64_t rows, int width) {
  const std::vector<hsize_t> mine = lengths_of(rows, width);
  Selection selection{make_space(lengths_of(total, width)), make_space(mine)};
  if (rows > 0) {
    std::vector<hsize_t> start(mine.size(), 0);
    start[0] = static_cast<hsize_t>(first);
    SCREE_HDF5(H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, start.data(), nullptr,
                                   mine.data(), nullptr));
  } else {
    SCREE_HDF5(H5Sselect_none(selection.file.get()));
    SCREE_HDF5(H5Sselect_none(selection.memory.get()));
  }
  return selection;
}

Properties collective_transfer() {
  Properties transfer(SCREE_HDF5(H5Pcreate(H5P_DATASET_XFER)));
  SCREE_HDF5(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE));
  return transfer;
}

/// Numbers of a chunk: of some 256 KiB, so that files have few chunks and readers of some rows read
/// few numbers.
std::int64_t chunk_rows(std::int64_t total, int width, int precision) {
  constexpr std::int64_t kChunkBytes = 262144;
  return std::clamp<std::int64_t>(kChunkBytes / (width * precision), 1, total);
}

/// Whether a dataset is worth the index that its chunks need in the file.
bool is_packed(std::int64_t total, int width, int precision, Storage storage) {
  constexpr std::int64_t kLeastBytes = 8192;
  return storage == Storage::packed && total * width * precision >= kLeastBytes;
}

/// How a dataset of rows is made.
Properties creation_of_rows(std::int64_t total, int width, int precision, Storage storage) {
  Properties creation(SCREE_HDF5(H5Pcreate(H5P_DATASET_CREATE)));
  SCREE_HDF5(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER));
  if (!is_packed(total, width, precision, storage)) return creation;
  const auto chunk = lengths_of(chunk_rows(total, width, precision), width);
  SCREE_HDF5(H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()));
  SCREE_HDF5(H5Pset_shuffle(creation.get()));
  SCREE_HDF5(H5Pset_deflate(creation.get(), kDeflateLevel));
  return creation;
}

}  // namespace

std::int64_t size_bound(std::int64_t rows, int width, int precision, Storage storage) {
  constexpr std::int64_t kHeader = 4096;  // of a dataset with its attributes
  if (!is_packed(rows, width, precision, storage)) return kHeader + rows * width * precision;
  // Chunks are whole, and may be written a second time elsewhere in the file: HDF5 makes room for
  // them before it knows what their numbers deflate to.
  const std::int64_t chunk = chunk_rows(rows, width, precision);
  const std::int64_t chunks = (rows + chunk - 1) / chunk;
  return 2 * kHeader + chunks * (chunk * width * precision + kHeader);
}

template <class T>
void write_rows(hid_t object, const std::string& name, const RowLayout& layout,
                std::span<const T> values, int width, Storage storage) {
  SCREE_ASSERT(static_cast<std::int64_t>(values.size()) == layout.local * width);
  at(object, name, [&] {
    const Space space = make_space(lengths_of(layout.total, width));
    const Properties creation = creation_of_rows(layout.total, width, sizeof(T), storage);
    const Dataset dataset(
        SCREE_HDF5(H5Dcreate2(object, name.c_str(), native<T>(), space.get(),
                              create_parents().get(), creation.get(), H5P_DEFAULT)));
    if (layout.total == 0) return;
    const Selection selection = select_rows(layout.total, layout.first, layout.local, width);
    SCREE_HDF5(H5Dwrite(dataset.get(), native<T>(), selection.memory.get(), selection.file.get(),
                        collective_transfer().get(), values.data()));
  });
}

template <class T>
std::vector<T> read_rows(hid_t object, const std::string& name, std::int64_t first,
                         std::int64_t rows, int width) {
  return at(object, name, [&] {
    const Dataset dataset = open_dataset(object, name);
    const Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
    const std::vector<std::int64_t> found = extents(object, name);
    const bool as_wanted = holds<T>(type.get()) && found.size() == (width > 1 ? 2U : 1U) &&
                           first + rows <= found[0] && (width == 1 || found[1] == width);
    if (!as_wanted) {
      throw InputError(
          fmt::format("{}: is not of the type or size that scree writes", place_of(object, name)));
    }
    refuse_too_many(object, name, found[0] * width, sizeof(T));
    std::vector<T> values(rows * width);
    if (found[0] == 0) return values;
    const Selection selection = select_rows(found[0], first, rows, width);
    SCREE_HDF5(H5Dread(dataset.get(), native<T>(), selection.memory.get(), selection.file.get(),
                       collective_transfer().get(), values.data()));
    return values;
  });
}

#define SCREE_H5_NUMBER(T)                                                                     \
  template std::vector<T> read<T>(hid_t, const std::string&);                                  \
  template T read_scalar<T>(hid_t, const std::string&);                                        \
  template void write<T>(hid_t, const std::string&, std::span<const T>, int);                  \
  template void write_rows<T>(hid_t, const std::string&, const RowLayout&, std::span<const T>, \
                              int, Storage);                                                   \
  template std::vector<T> read_rows<T>(hid_t, const std::string&, std::int64_t, std::int64_t, int);
SCREE_H5_NUMBER(double)
SCREE_H5_NUMBER(float)
SCREE_H5_NUMBER(std::int32_t)
SCREE_H5_NUMBER(std::int64_t)
SCREE_H5_NUMBER(std::uint8_t)
#undef SCREE_H5_NUMBER

}  // namespace scree::h5
