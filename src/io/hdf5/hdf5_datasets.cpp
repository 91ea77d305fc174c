#include <fmt/format.h>

#include "hdf5_values.hpp"

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

#define SCREE_H5_NUMBER(T)                                    \
  template std::vector<T> read<T>(hid_t, const std::string&); \
  template T read_scalar<T>(hid_t, const std::string&);       \
  template void write<T>(hid_t, const std::string&, std::span<const T>, int);
SCREE_H5_NUMBER(double)
SCREE_H5_NUMBER(float)
SCREE_H5_NUMBER(std::int32_t)
SCREE_H5_NUMBER(std::int64_t)
SCREE_H5_NUMBER(std::uint8_t)
#undef SCREE_H5_NUMBER

}  // namespace scree::h5
