#include "hdf5_values.hpp"

#include <algorithm>

namespace scree::h5 {

std::string path_of(hid_t object, const std::string& name) {
  std::string path(1024, '\0');
  const ssize_t path_length = H5Iget_name(object, path.data(), path.size());
  path.resize(std::clamp<ssize_t>(path_length, 0, 1023));
  if (path.empty() || path.back() != '/') path += '/';
  return path + name;
}

std::string place_of(hid_t object, const std::string& name) {
  std::string file(1024, '\0');
  const ssize_t length = H5Fget_name(object, file.data(), file.size());
  file.resize(std::clamp<ssize_t>(length, 0, 1023));
  return fmt::format("{}: {}", file, path_of(object, name));
}

void refuse_too_many(hid_t object, const std::string& name, std::int64_t n, std::size_t bytes) {
  constexpr double kDeflate = 1032.0;      // deflate makes bytes so many times fewer, at the most
  constexpr double kNegligible = 1 << 20;  // bytes
  const File file(SCREE_HDF5(H5Iget_file_id(object)));
  hsize_t length = 0;
  SCREE_HDF5(H5Fget_filesize(file.get(), &length));
  const double wanted = static_cast<double>(n) * static_cast<double>(bytes);
  if (wanted <= std::max(kNegligible, kDeflate * static_cast<double>(length))) return;
  throw InputError(
      fmt::format("{}: claims {} entries of {} bytes, which a file of {} bytes cannot hold: it is "
                  "damaged; copy "
                  "it again, or make it anew",
                  place_of(object, name), n, bytes, length));
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

std::int64_t points_in(hid_t space) {
  return SCREE_HDF5(H5Sget_simple_extent_npoints(space));
}

Dataset open_dataset(hid_t object, const std::string& name) {
  if (!is_dataset(object, name)) {
    throw InputError(fmt::format("{}: no such dataset", place_of(object, name)));
  }
  return Dataset(SCREE_HDF5(H5Dopen2(object, name.c_str(), H5P_DEFAULT)));
}

Properties create_parents() {
  Properties link(SCREE_HDF5(H5Pcreate(H5P_LINK_CREATE)));
  SCREE_HDF5(H5Pset_create_intermediate_group(link.get(), 1));
  return link;
}

Type text_type(const std::string& text) {
  Type type(SCREE_HDF5(H5Tcopy(H5T_C_S1)));
  SCREE_HDF5(H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1)));
  SCREE_HDF5(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
  SCREE_HDF5(H5Tset_cset(type.get(), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
  return type;
}

}  // namespace scree::h5
