#include <fmt/format.h>

#include <algorithm>

#include "hdf5_values.hpp"

namespace scree::h5 {
namespace {

std::string padded(std::span<const std::string> texts, std::size_t length) {
  std::string all;
  for (const std::string& text : texts) all += text + std::string(length - text.size(), '\0');
  return all;
}

}  // namespace

void write_texts(hid_t object, const std::string& name, std::span<const std::string> texts) {
  at(object, name, [&] {
    const auto longest = std::ranges::max_element(texts, {}, &std::string::size);
    const std::string widest = longest == texts.end() || longest->empty() ? " " : *longest;
    Type type = text_type(widest);
    SCREE_HDF5(H5Tset_cset(type.get(), H5T_CSET_UTF8));
    const Space space = make_space(lengths_of(static_cast<std::int64_t>(texts.size()), 1));
    const Dataset dataset(SCREE_HDF5(H5Dcreate2(object, name.c_str(), type.get(), space.get(),
                                                create_parents().get(), H5P_DEFAULT, H5P_DEFAULT)));
    const std::string all = padded(texts, H5Tget_size(type.get()));
    if (!texts.empty())
      SCREE_HDF5(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
  });
}

bool holds_texts(hid_t object, const std::string& name) {
  const Type type(SCREE_HDF5(H5Dget_type(open_dataset(object, name).get())));
  return H5Tget_class(type.get()) == H5T_STRING;
}

std::vector<std::string> read_texts(hid_t object, const std::string& name) {
  return at(object, name, [&] {
    const Dataset dataset = open_dataset(object, name);
    const Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
    if (H5Tget_class(type.get()) != H5T_STRING || SCREE_HDF5(H5Tis_variable_str(type.get())) > 0) {
      throw InputError(fmt::format("{}: texts of one length expected", place_of(object, name)));
    }
    const std::size_t length = H5Tget_size(type.get());
    const auto n = static_cast<std::size_t>(count(object, name));
    refuse_too_many(object, name, static_cast<std::int64_t>(n), length);
    std::string all(n * length, '\0');
    if (n > 0)
      SCREE_HDF5(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < n; ++k) {
      const std::string_view entry = std::string_view(all).substr(k * length, length);
      texts.emplace_back(entry.substr(0, entry.find('\0')));
    }
    return texts;
  });
}

}  // namespace scree::h5
