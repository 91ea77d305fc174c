#include <fmt/format.h>

#include "hdf5_values.hpp"

namespace scree::h5 {
namespace {

Attribute open_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) {
    throw InputError(fmt::format("{}: no such attribute", place_of(object, name)));
  }
  return Attribute(SCREE_HDF5(H5Aopen(object, name.c_str(), H5P_DEFAULT)));
}

}  // namespace

bool has_attribute(hid_t object, const std::string& name) {
  return SCREE_HDF5(H5Aexists(object, name.c_str())) > 0;
}

std::vector<std::string> attributes(hid_t object) {
  // Looking for one that is not there decodes all, and fails where one is damaged: HDF5 1.10's
  // H5Aiterate2 ends the program there.
  static_cast<void>(has_attribute(object, "no attribute"));
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

std::string read_text_attribute_of(hid_t object, const std::string& dataset,
                                   const std::string& name) {
  return read_text_attribute(open_dataset(object, dataset).get(), name);
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Attribute attribute = open_attribute(object, name);
  const Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
  const Space space(SCREE_HDF5(H5Aget_space(attribute.get())));
  refuse_too_many(object, name, 1, H5Tget_size(type.get()));
  return read_string(
      type.get(), points_in(space.get()), place_of(object, name),
      [&](hid_t memory, void* data) { SCREE_HDF5(H5Aread(attribute.get(), memory, data)); });
}

template <class T>
std::vector<T> read_attribute(hid_t object, const std::string& name) {
  const Attribute attribute = open_attribute(object, name);
  const Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
  const Space space(SCREE_HDF5(H5Aget_space(attribute.get())));
  refuse_too_many(object, name, points_in(space.get()), H5Tget_size(type.get()));
  return read_numbers<T>(
      type.get(), points_in(space.get()), place_of(object, name),
      [&](hid_t memory, void* data) { SCREE_HDF5(H5Aread(attribute.get(), memory, data)); });
}

template <class T>
T read_scalar_attribute(hid_t object, const std::string& name) {
  const std::vector<T> values = read_attribute<T>(object, name);
  if (values.size() != 1) {
    throw InputError(
        fmt::format("{}: one number expected, {} found", place_of(object, name), values.size()));
  }
  return values.front();
}

#define SCREE_H5_NUMBER(T)                                                         \
  template void write_attribute<T>(hid_t, const std::string&, std::span<const T>); \
  template std::vector<T> read_attribute<T>(hid_t, const std::string&);            \
  template T read_scalar_attribute<T>(hid_t, const std::string&);
SCREE_H5_NUMBER(double)
SCREE_H5_NUMBER(std::int32_t)
SCREE_H5_NUMBER(std::int64_t)
SCREE_H5_NUMBER(std::uint8_t)
#undef SCREE_H5_NUMBER

}  // namespace scree::h5
