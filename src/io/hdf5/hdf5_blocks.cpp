#include <algorithm>

#include "hdf5_values.hpp"

namespace scree::h5 {
namespace {

/// A part of a dataset that is a box of its indices.
struct BoxOfEntries {
  std::vector<hsize_t> start;
  std::vector<hsize_t> count;
  hsize_t entries = 0;
};

/// The largest box that begins with the entry @p first and has all of its entries before @p end:
/// whole in the last dimensions, one index of the first ones.
BoxOfEntries box_at(std::span<const hsize_t> lengths, hsize_t first, hsize_t end) {
  BoxOfEntries box{std::vector<hsize_t>(lengths.size()), std::vector<hsize_t>(lengths.size(), 1),
                   1};
  hsize_t rest = first;
  bool is_whole = true;  // in all dimensions that come after
  for (std::size_t k = lengths.size(); k-- > 0;) {
    const hsize_t stride = box.entries;
    box.start[k] = rest % lengths[k];
    rest /= lengths[k];
    if (!is_whole) continue;
    box.count[k] = std::clamp<hsize_t>((end - first) / stride, 1, lengths[k] - box.start[k]);
    box.entries *= box.count[k];
    is_whole = box.count[k] == lengths[k];
  }
  return box;
}

/// Writes one box of a dataset. Not collective.
void write_box(const Dataset& dataset, const Space& space, const BoxOfEntries& box,
               const double* values) {
  SCREE_HDF5(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, box.start.data(), nullptr,
                                 box.count.data(), nullptr));
  const Space memory = make_space(std::span(&box.entries, 1));
  SCREE_HDF5(
      H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values));
}

}  // namespace

void write_block(hid_t object, const std::string& name, std::span<const std::int64_t> lengths,
                 std::int64_t first, std::span<const double> values) {
  const std::vector<hsize_t> all(lengths.begin(), lengths.end());
  const Space space = make_space(all);
  at(object, name, [&] {
    Properties creation(SCREE_HDF5(H5Pcreate(H5P_DATASET_CREATE)));
    SCREE_HDF5(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER));
    const Dataset dataset(
        SCREE_HDF5(H5Dcreate2(object, name.c_str(), native<double>(), space.get(),
                              create_parents().get(), creation.get(), H5P_DEFAULT)));
    const hsize_t end = static_cast<hsize_t>(first) + values.size();
    for (auto begin = static_cast<hsize_t>(first); begin < end;) {
      const BoxOfEntries box = box_at(all, begin, end);
      write_box(dataset, space, box, &values[begin - static_cast<hsize_t>(first)]);
      begin += box.entries;
    }
  });
}

}  // namespace scree::h5
