#pragma once

/// Routines for datasets and attributes of HDF5 alike: their place in messages, their types, and
/// the reading of numbers and texts.

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/io/hdf5/hdf5.hpp"

namespace scree::h5 {

/// `/path/of/object/name`, and `file: ` before it, for messages. Not collective.
std::string path_of(hid_t object, const std::string& name);
std::string place_of(hid_t object, const std::string& name);

/// Refuses @p n entries of @p bytes each that the file of @p object, however well it is compressed,
/// cannot hold: a damaged number would have all memory. Not collective. @throws InputError naming
/// @p name.
void refuse_too_many(hid_t object, const std::string& name, std::int64_t n, std::size_t bytes);

/// Runs @p work; a failure in it is told with the file and the object.
template <class Work>
decltype(auto) at(hid_t object, const std::string& name, Work&& work) {
  try {
    return work();
  } catch (const LibraryFailure& failure) {
    throw LibraryFailure(fmt::format("{}: {}", place_of(object, name), failure.what()),
                         fmt::format("{}: {}", path_of(object, name), failure.in_words));
  }
}

/// The type of a number in memory.
template <class T>
hid_t native() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

/// A simple dataspace of @p lengths.
Space make_space(std::span<const hsize_t> lengths);

/// The lengths of a dataspace of @p rows x @p width numbers, one-dimensional where the width is 1.
std::vector<hsize_t> lengths_of(std::int64_t rows, int width);

/// The number of entries of a dataspace.
std::int64_t points_in(hid_t space);

/// Opens @p name. @throws InputError when it is no dataset.
Dataset open_dataset(hid_t object, const std::string& name);

/// Properties by which the groups above a new object are made where they are missing.
Properties create_parents();

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
  std::vector<T> values(n);
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

/// A fixed-length string type that holds @p text: ASCII where it is, as ParaView's VTKHDF reader
/// demands, else UTF-8.
Type text_type(const std::string& text);

/// Reads the one string of @p type, fixed or variable length, with @p read_as(memory type,
/// address).
/// @throws InputError when there are other than one, @p n.
template <class Read>
std::string read_string(hid_t type, std::int64_t n, const std::string& where, Read&& read_as) {
  if (n != 1) throw InputError(fmt::format("{}: one text expected, {} found", where, n));
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

}  // namespace scree::h5
