#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <type_traits>

#include "hdf5_values.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/hdf5/number_rows.hpp"

namespace scree::h5 {
namespace {

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

/// Numbers of grains are hardly smaller at higher levels: a bed of a million by half a per cent at
/// 4, which takes a quarter more time.
constexpr unsigned kDeflateLevel = 1;

/// Whether numbers of @p type are those of T, or are without a change of value.
template <class T>
bool holds(hid_t type) {
  if (SCREE_HDF5(H5Tequal(type, native<T>())) > 0) return true;
  return std::is_same_v<T, double> && SCREE_HDF5(H5Tequal(type, H5T_NATIVE_FLOAT)) > 0;
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
  return std::clamp<std::int64_t>(kChunkBytes / (std::int64_t{width} * precision), 1, total);
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

/// A new dataset of rows. Collective.
template <class T>
Dataset create_rows(hid_t object, const std::string& name, std::int64_t total, int width,
                    Storage storage) {
  const Space space = make_space(lengths_of(total, width));
  const Properties creation = creation_of_rows(total, width, sizeof(T), storage);
  return Dataset(SCREE_HDF5(H5Dcreate2(object, name.c_str(), native<T>(), space.get(),
                                       create_parents().get(), creation.get(), H5P_DEFAULT)));
}

/// Writes @p values from the row @p first on into a dataset of @p total rows. As collective as
/// @p transfer.
template <class T>
void write_to(const Dataset& dataset, std::int64_t total, std::int64_t first,
              std::span<const T> values, int width, hid_t transfer) {
  if (total == 0) return;
  const Selection selection =
      select_rows(total, first, static_cast<std::int64_t>(values.size()) / width, width);
  SCREE_HDF5(H5Dwrite(dataset.get(), native<T>(), selection.memory.get(), selection.file.get(),
                      transfer, values.data()));
}

/// Rows that are made and written at a time: few enough to stay in a cache; of what is packed all,
/// since a chunk that is written twice is deflated twice.
std::int64_t piece_rows(const RowLayout& layout, int width, int precision, Storage storage) {
  constexpr std::int64_t kPieceBytes = 1 << 19;
  if (is_packed(layout.total, width, precision, storage)) return layout.most;
  return std::max<std::int64_t>(1, kPieceBytes / (std::int64_t{width} * precision));
}

/// Makes all rows of a rank and writes those of all ranks in one go. A rank that cannot make its
/// own takes part with none before it throws, since the others would wait for it. Collective.
template <class T>
void write_at_once(const Dataset& dataset, const RowLayout& layout, const MakeRows<T>& make,
                   int width) {
  std::vector<T> values;
  std::exception_ptr failure;
  try {
    values.resize(layout.local * width);
    if (layout.local > 0) make(0, values);
  } catch (...) {
    failure = std::current_exception();
    values.clear();
  }
  write_to<T>(dataset, layout.total, layout.first, values, width, collective_transfer().get());
  if (failure) std::rethrow_exception(failure);
}

/// Makes and writes the rows of a rank, @p piece of them at a time. Not collective.
template <class T>
void write_in_pieces(const Dataset& dataset, const RowLayout& layout, const MakeRows<T>& make,
                     int width, std::int64_t piece) {
  std::vector<T> values;
  for (std::int64_t first = 0; first < layout.local; first += piece) {
    values.resize(std::min(piece, layout.local - first) * width);
    make(first, values);
    write_to<T>(dataset, layout.total, layout.first + first, values, width, H5P_DEFAULT);
  }
}

}  // namespace

RowLayout row_layout(MPI_Comm comm, std::int64_t local_rows) {
  return {local_rows, sum_of_lower_ranks(comm, local_rows), sum_over_ranks(comm, local_rows),
          max_over_ranks(comm, local_rows)};
}

RowLayout rows_of_first_rank(MPI_Comm comm, std::int64_t rows) {
  const bool is_first = rank_of(comm) == 0;
  return {is_first ? rows : 0, is_first ? 0 : rows, rows, rows};
}

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
std::vector<T> read_part(hid_t object, const std::string& name, std::int64_t first,
                         std::int64_t n) {
  return at(object, name, [&] {
    const Dataset dataset = open_dataset(object, name);
    const Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
    const std::vector<std::int64_t> found = extents(object, name);
    if (found.size() != 1) {  // small, as no writer of large ones makes them
      const std::vector<T> all = read<T>(object, name);
      return std::vector<T>(all.begin() + first, all.begin() + first + n);
    }
    SCREE_ASSERT(first >= 0 && first + n <= found[0]);
    refuse_too_many(object, name, found[0], H5Tget_size(type.get()));
    const Selection selection = select_rows(found[0], first, n, 1);
    const hid_t from = selection.file.get();
    const hid_t to = selection.memory.get();
    return read_numbers<T>(type.get(), n, place_of(object, name), [&](hid_t memory, void* data) {
      SCREE_HDF5(H5Dread(dataset.get(), memory, to, from, H5P_DEFAULT, data));
    });
  });
}

template <class T>
void write_rows(hid_t object, const std::string& name, const RowLayout& layout,
                std::span<const T> values, int width, Storage storage) {
  SCREE_ASSERT(static_cast<std::int64_t>(values.size()) == layout.local * width);
  at(object, name, [&] {
    const Dataset dataset = create_rows<T>(object, name, layout.total, width, storage);
    write_to<T>(dataset, layout.total, layout.first, values, width, collective_transfer().get());
  });
}

void write_rows(hid_t object, const std::string& name, const RowLayout& layout,
                const NumberRows& rows, Storage storage) {
  at(object, name, [&] {
    std::visit(
        [&]<class T>(const MakeRows<T>& make) {
          const Dataset dataset = create_rows<T>(object, name, layout.total, rows.width, storage);
          const std::int64_t piece = piece_rows(layout, rows.width, sizeof(T), storage);
          if (layout.most <= piece) {
            write_at_once(dataset, layout, make, rows.width);
          } else {  // ranks that wait for each other at every piece would not pay
            write_in_pieces(dataset, layout, make, rows.width, piece);
          }
        },
        rows.make);
  });
}

template <class T>
Dataset create_numbers(hid_t object, const std::string& name, std::int64_t total) {
  return at(object, name, [&] { return create_rows<T>(object, name, total, 1, Storage::plain); });
}

template <class T>
void write_part(const Dataset& dataset, std::int64_t first, std::span<const T> values) {
  const std::int64_t total = points_in(Space(SCREE_HDF5(H5Dget_space(dataset.get()))).get());
  write_to(dataset, total, first, values, 1, collective_transfer().get());
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

#define SCREE_H5_ROWS(T)                                                                       \
  template std::vector<T> read_part<T>(hid_t, const std::string&, std::int64_t, std::int64_t); \
  template Dataset create_numbers<T>(hid_t, const std::string&, std::int64_t);                 \
  template void write_part<T>(const Dataset&, std::int64_t, std::span<const T>);               \
  template void write_rows<T>(hid_t, const std::string&, const RowLayout&, std::span<const T>, \
                              int, Storage);                                                   \
  template std::vector<T> read_rows<T>(hid_t, const std::string&, std::int64_t, std::int64_t, int);
SCREE_H5_ROWS(double)
SCREE_H5_ROWS(float)
SCREE_H5_ROWS(std::int32_t)
SCREE_H5_ROWS(std::int64_t)
SCREE_H5_ROWS(std::uint8_t)
#undef SCREE_H5_ROWS

}  // namespace scree::h5
