#include "scree/io/hdf5.hpp"

#include <fmt/format.h>
#include <fmt/std.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <type_traits>

#include "scree/base/parallel.hpp"

namespace scree::h5 {
namespace {

/// Keeps the innermost description of an error stack: the first that a walk upwards meets.
herr_t keep_innermost(unsigned /*n*/, const H5E_error2_t* error, void* data) {
  auto& text = *static_cast<std::string*>(data);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

std::string hdf5_explanation() {
  std::string text;
  static_cast<void>(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &text));
  static_cast<void>(H5Eclear2(H5E_DEFAULT));
  return text.empty() ? "no explanation" : text;
}

/// `file: /path/of/object/name`, for messages.
std::string place_of(hid_t object, const std::string& name) {
  std::string file(1024, '\0');
  const ssize_t length = H5Fget_name(object, file.data(), file.size());
  file.resize(static_cast<std::size_t>(std::clamp<ssize_t>(length, 0, 1023)));
  std::string path(1024, '\0');
  const ssize_t path_length = H5Iget_name(object, path.data(), path.size());
  path.resize(static_cast<std::size_t>(std::clamp<ssize_t>(path_length, 0, 1023)));
  if (path.empty() || path.back() != '/') path += '/';
  return fmt::format("{}: {}{}", file, path, name);
}

/// Runs @p work; a failure in it is told with the file and the object.
template <class Work>
decltype(auto) at(hid_t object, const std::string& name, Work&& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    throw Failure(fmt::format("{}: {}", place_of(object, name), failure.what()));
  }
}

template <class T>
hid_t native();
template <>
hid_t native<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t native<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t native<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

void refuse_unreadable(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    throw InputError(
        fmt::format("{}: no such file; give the path of an existing HDF5 file", path.string()));
  }
  if (std::filesystem::is_directory(path, code)) {
    throw InputError(fmt::format("{}: is a folder; give a file in it", path.string()));
  }
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) {
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  }
  if (SCREE_HDF5(H5Fis_hdf5(path.c_str())) == 0) {
    throw InputError(fmt::format(
        "{}: not an HDF5 file, or one whose writing was cut off; give a snapshot, a checkpoint or "
        "an FCLIB problem",
        path.string()));
  }
}

Properties parallel_access(MPI_Comm comm) {
  Properties access(SCREE_HDF5(H5Pcreate(H5P_FILE_ACCESS)));
  SCREE_HDF5(H5Pset_fapl_mpio(access.get(), comm, MPI_INFO_NULL));
  SCREE_HDF5(H5Pset_all_coll_metadata_ops(access.get(), true));
  SCREE_HDF5(H5Pset_coll_metadata_write(access.get(), true));
  return access;
}

File open_with(const std::filesystem::path& path, hid_t access) {
  try {
    return File(SCREE_HDF5(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access)));
  } catch (const Failure& failure) {
    throw InputError(fmt::format("{}: cannot be read as HDF5 (was its writing cut off?): {}",
                                 path.string(), failure.what()));
  }
}

File create_with(const std::filesystem::path& path, hid_t access) {
  try {
    return File(SCREE_HDF5(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)));
  } catch (const Failure& failure) {
    throw Failure(fmt::format("{}: cannot be created: {}", path.string(), failure.what()));
  }
}

H5O_type_t type_of_object(hid_t object, const std::string& name) {
  H5O_info_t info;
  SCREE_HDF5(H5Oget_info_by_name2(object, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT));
  return info.type;
}

Dataset open_dataset(hid_t object, const std::string& name) {
  if (!is_dataset(object, name)) {
    throw InputError(fmt::format("{}: no such dataset", place_of(object, name)));
  }
  return Dataset(SCREE_HDF5(H5Dopen2(object, name.c_str(), H5P_DEFAULT)));
}

Space make_space(std::span<const hsize_t> lengths) {
  return Space(
      SCREE_HDF5(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr)));
}

std::vector<hsize_t> lengths_of(std::int64_t rows, int width) {
  std::vector<hsize_t> lengths{static_cast<hsize_t>(rows)};
  if (width > 1) lengths.push_back(static_cast<hsize_t>(width));
  return lengths;
}

Properties create_parents() {
  Properties link(SCREE_HDF5(H5Pcreate(H5P_LINK_CREATE)));
  SCREE_HDF5(H5Pset_create_intermediate_group(link.get(), 1));
  return link;
}

/// Throws unless a dataset or attribute of @p type can be read as T without loss of meaning.
template <class T>
void refuse_other_class(hid_t type, const std::string& where) {
  const H5T_class_t kind = H5Tget_class(type);
  const bool good =
      std::is_floating_point_v<T> ? kind == H5T_INTEGER || kind == H5T_FLOAT : kind == H5T_INTEGER;
  if (!good) {
    throw InputError(fmt::format("{}: {} expected", where,
                                 std::is_floating_point_v<T> ? "numbers" : "integers"));
  }
}

/// Reads with @p read_as(memory type, address). HDF5 clips integers that do not fit: those are
/// read wide and refused.
template <class T, class Read>
std::vector<T> read_numbers(hid_t type, std::int64_t n, const std::string& where, Read&& read_as) {
  refuse_other_class<T>(type, where);
  std::vector<T> values(static_cast<std::size_t>(n));
  if constexpr (std::is_integral_v<T>) {
    if (sizeof(T) < sizeof(std::int64_t) && H5Tget_size(type) > sizeof(T)) {
      std::vector<std::int64_t> wide(values.size());
      if (n > 0) read_as(H5T_NATIVE_INT64, wide.data());
      for (std::size_t i = 0; i < wide.size(); ++i) {
        if (!std::in_range<T>(wide[i])) {
          throw InputError(fmt::format("{}: {} is out of range", where, wide[i]));
        }
        values[i] = static_cast<T>(wide[i]);
      }
      return values;
    }
  }
  if (n > 0) read_as(native<T>(), values.data());
  return values;
}

std::int64_t points_in(hid_t space) {
  return SCREE_HDF5(H5Sget_simple_extent_npoints(space));
}

/// A fixed-length string type that holds @p text: ASCII where it is, as ParaView's VTKHDF reader
/// demands, else UTF-8.
Type text_type(const std::string& text) {
  Type type(SCREE_HDF5(H5Tcopy(H5T_C_S1)));
  SCREE_HDF5(H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1)));
  SCREE_HDF5(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
  SCREE_HDF5(H5Tset_cset(type.get(), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
  return type;
}

/// Reads one string of @p type, fixed or variable length, with @p read_as(memory type, address).
template <class Read>
std::string read_string(hid_t type, const std::string& where, Read&& read_as) {
  if (H5Tget_class(type) != H5T_STRING) throw InputError(fmt::format("{}: text expected", where));
  Type memory(SCREE_HDF5(H5Tcopy(type)));
  if (SCREE_HDF5(H5Tis_variable_str(type)) > 0) {
    char* raw = nullptr;
    read_as(memory.get(), &raw);
    std::string text = raw != nullptr ? raw : "";
    H5free_memory(raw);
    return text;
  }
  std::string text(H5Tget_size(type), '\0');
  read_as(memory.get(), text.data());
  text.resize(std::strlen(text.c_str()));
  return text;
}

Attribute open_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) {
    throw InputError(fmt::format("{}: no such attribute", place_of(object, name)));
  }
  return Attribute(SCREE_HDF5(H5Aopen(object, name.c_str(), H5P_DEFAULT)));
}

}  // namespace

void silence() {
  static const herr_t done = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static_cast<void>(done);
}

void fail(const char* call, std::source_location place) {
  throw Failure(fmt::format("{}:{}: {} failed: {}",
                            std::filesystem::path(place.file_name()).filename().string(),
                            place.line(), call, hdf5_explanation()));
}

File open_file(const std::filesystem::path& path) {
  refuse_unreadable(path);
  return open_with(path, H5P_DEFAULT);
}

File open_file(MPI_Comm comm, const std::filesystem::path& path) {
  std::string problem;
  try {
    refuse_unreadable(path);
  } catch (const InputError& error) {
    problem = error.what();
  }
  refuse_together(comm, problem);
  return open_with(path, parallel_access(comm).get());
}

File create_file(const std::filesystem::path& path) {
  return create_with(path, H5P_DEFAULT);
}

File create_file(MPI_Comm comm, const std::filesystem::path& path) {
  return create_with(path, parallel_access(comm).get());
}

bool exists(hid_t object, const std::string& name) {
  // H5Lexists answers only for a last component whose parents exist.
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (part.empty() || part == "/") continue;
    if (SCREE_HDF5(H5Lexists(object, part.c_str(), H5P_DEFAULT)) == 0) return false;
  }
  return SCREE_HDF5(H5Oexists_by_name(object, name.c_str(), H5P_DEFAULT)) > 0;
}

bool is_group(hid_t object, const std::string& name) {
  return exists(object, name) && type_of_object(object, name) == H5O_TYPE_GROUP;
}

bool is_dataset(hid_t object, const std::string& name) {
  return exists(object, name) && type_of_object(object, name) == H5O_TYPE_DATASET;
}

std::vector<std::string> children(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  SCREE_HDF5(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names));
  return names;
}

Group open_group(hid_t object, const std::string& name) {
  if (!is_group(object, name)) {
    throw InputError(fmt::format("{}: no such group", place_of(object, name)));
  }
  return Group(SCREE_HDF5(H5Gopen2(object, name.c_str(), H5P_DEFAULT)));
}

Group create_group(hid_t object, const std::string& name) {
  return at(object, name, [&] {
    return Group(SCREE_HDF5(
        H5Gcreate2(object, name.c_str(), create_parents().get(), H5P_DEFAULT, H5P_DEFAULT)));
  });
}

std::vector<std::int64_t> extents(hid_t object, const std::string& name) {
  const Dataset dataset = open_dataset(object, name);
  const Space space(SCREE_HDF5(H5Dget_space(dataset.get())));
  const int rank = SCREE_HDF5(H5Sget_simple_extent_ndims(space.get()));
  std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
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
    return read_string(type.get(), place_of(object, name), [&](hid_t memory, void* data) {
      SCREE_HDF5(H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    });
  });
}

RowLayout row_layout(MPI_Comm comm, std::int64_t local_rows) {
  return {local_rows, sum_of_lower_ranks(comm, local_rows), sum_over_ranks(comm, local_rows)};
}

template <class T>
void write_rows(hid_t object, const std::string& name, const RowLayout& layout,
                std::span<const T> values, int width) {
  SCREE_ASSERT(static_cast<std::int64_t>(values.size()) == layout.local * width);
  at(object, name, [&] {
    const Space file_space = make_space(lengths_of(layout.total, width));
    Properties creation(SCREE_HDF5(H5Pcreate(H5P_DATASET_CREATE)));
    SCREE_HDF5(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER));
    const Dataset dataset(
        SCREE_HDF5(H5Dcreate2(object, name.c_str(), native<T>(), file_space.get(),
                              create_parents().get(), creation.get(), H5P_DEFAULT)));
    if (layout.total == 0) return;
    const std::vector<hsize_t> mine = lengths_of(layout.local, width);
    const Space memory_space = make_space(mine);
    if (layout.local > 0) {
      std::vector<hsize_t> start(mine.size(), 0);
      start[0] = static_cast<hsize_t>(layout.first);
      SCREE_HDF5(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                     mine.data(), nullptr));
    } else {
      SCREE_HDF5(H5Sselect_none(file_space.get()));
      SCREE_HDF5(H5Sselect_none(memory_space.get()));
    }
    Properties transfer(SCREE_HDF5(H5Pcreate(H5P_DATASET_XFER)));
    SCREE_HDF5(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE));
    SCREE_HDF5(H5Dwrite(dataset.get(), native<T>(), memory_space.get(), file_space.get(),
                        transfer.get(), values.data()));
  });
}

bool has_attribute(hid_t object, const std::string& name) {
  return SCREE_HDF5(H5Aexists(object, name.c_str())) > 0;
}

std::vector<std::string> attributes(hid_t object) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  SCREE_HDF5(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names));
  return names;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  at(object, name, [&] {
    const Type type = text_type(text);
    const Space space(SCREE_HDF5(H5Screate(H5S_SCALAR)));
    const Attribute attribute(SCREE_HDF5(
        H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)));
    SCREE_HDF5(H5Awrite(attribute.get(), type.get(), text.c_str()));
  });
}

template <class T>
void write_attribute(hid_t object, const std::string& name, std::span<const T> values) {
  at(object, name, [&] {
    const Space space = values.size() == 1
                            ? Space(SCREE_HDF5(H5Screate(H5S_SCALAR)))
                            : make_space(lengths_of(static_cast<std::int64_t>(values.size()), 1));
    const Attribute attribute(SCREE_HDF5(
        H5Acreate2(object, name.c_str(), native<T>(), space.get(), H5P_DEFAULT, H5P_DEFAULT)));
    SCREE_HDF5(H5Awrite(attribute.get(), native<T>(), values.data()));
  });
}

void write_attribute_of(hid_t object, const std::string& dataset, const std::string& name,
                        const std::string& text) {
  write_attribute(open_dataset(object, dataset).get(), name, text);
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Attribute attribute = open_attribute(object, name);
  const Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
  return read_string(type.get(), place_of(object, name), [&](hid_t memory, void* data) {
    SCREE_HDF5(H5Aread(attribute.get(), memory, data));
  });
}

template <class T>
std::vector<T> read_attribute(hid_t object, const std::string& name) {
  const Attribute attribute = open_attribute(object, name);
  const Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
  const Space space(SCREE_HDF5(H5Aget_space(attribute.get())));
  return read_numbers<T>(
      type.get(), points_in(space.get()), place_of(object, name),
      [&](hid_t memory, void* data) { SCREE_HDF5(H5Aread(attribute.get(), memory, data)); });
}

#define SCREE_H5_NUMBER(T)                                                                     \
  template std::vector<T> read<T>(hid_t, const std::string&);                                  \
  template T read_scalar<T>(hid_t, const std::string&);                                        \
  template void write<T>(hid_t, const std::string&, std::span<const T>, int);                  \
  template void write_rows<T>(hid_t, const std::string&, const RowLayout&, std::span<const T>, \
                              int);                                                            \
  template void write_attribute<T>(hid_t, const std::string&, std::span<const T>);             \
  template std::vector<T> read_attribute<T>(hid_t, const std::string&);
SCREE_H5_NUMBER(double)
SCREE_H5_NUMBER(std::int32_t)
SCREE_H5_NUMBER(std::int64_t)
SCREE_H5_NUMBER(std::uint8_t)
#undef SCREE_H5_NUMBER

}  // namespace scree::h5
