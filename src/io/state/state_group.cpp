#include "scree/io/state/state_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/sources/generators.hpp"

namespace scree {
namespace {

constexpr const char* kCommon = "common";

/// Which rows of a group each rank writes: rank 0 writes what is common. Collective.
h5::RowLayout layout_of(MPI_Comm comm, const StateRows& group) {
  const std::int64_t rows = group.arrays.empty() ? 0 : group.arrays.front().rows;
  return group.common ? h5::rows_of_first_rank(comm, rows) : h5::row_layout(comm, rows);
}

/// The type of the numbers of a dataset, as an empty array of it.
NumberArray empty_array(hid_t group, const std::string& name) {
  const h5::Dataset dataset(SCREE_HDF5(H5Dopen2(group, name.c_str(), H5P_DEFAULT)));
  const h5::Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
  NumberArray array{.name = name,
                    .unit = h5::read_text_attribute(dataset.get(), "unit"),
                    .width = 1,
                    .values = {}};
  const auto is = [&type](hid_t other) { return SCREE_HDF5(H5Tequal(type.get(), other)) > 0; };
  if (is(H5T_NATIVE_DOUBLE)) {
    array.values = std::vector<double>{};
  } else if (is(H5T_NATIVE_INT64)) {
    array.values = std::vector<std::int64_t>{};
  } else if (is(H5T_NATIVE_INT32)) {
    array.values = std::vector<std::int32_t>{};
  } else if (is(H5T_NATIVE_UINT8)) {
    array.values = std::vector<std::uint8_t>{};
  } else {
    refuse_state(name);
  }
  return array;
}

}  // namespace

void refuse_state(const std::string& name) {
  throw InputError(fmt::format(
      "the state {} is missing or of another kind: another version of scree wrote it", name));
}

template <class T>
const std::vector<T>& numbers_of(const std::vector<NumberArray>& arrays, const std::string& name,
                                 int width) {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const NumberArray& array) { return array.name == name; });
  if (found == arrays.end() || found->width != width) refuse_state(name);
  const auto* values = std::get_if<std::vector<T>>(&found->values);
  if (values == nullptr) refuse_state(name);
  return *values;
}
template const std::vector<double>& numbers_of<double>(const std::vector<NumberArray>&,
                                                       const std::string&, int);
template const std::vector<std::int64_t>& numbers_of<std::int64_t>(const std::vector<NumberArray>&,
                                                                   const std::string&, int);
template const std::vector<std::int32_t>& numbers_of<std::int32_t>(const std::vector<NumberArray>&,
                                                                   const std::string&, int);

const std::vector<NumberArray>& arrays_of(const std::vector<StateGroup>& groups,
                                          const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const StateGroup& group) { return group.name == name; });
  if (found == groups.end()) refuse_state(name);
  return found->arrays;
}

StateRows rows_of(const StateGroup& group) {
  StateRows rows{.name = group.name, .common = group.common};
  for (const NumberArray& array : group.arrays) rows.arrays.push_back(rows_of(array));
  return rows;
}

std::int64_t size_bound(MPI_Comm comm, const StateRows& group) {
  constexpr std::int64_t kHeader = 4096;  // of a dataset with its attributes, or a group
  const h5::RowLayout layout = layout_of(comm, group);
  std::int64_t bytes = kHeader;
  for (const NumberRows& array : group.arrays) {
    bytes += kHeader + layout.total * array.width * array.precision();
  }
  return bytes;
}

void write_group(MPI_Comm comm, hid_t file, const StateRows& group) {
  const h5::RowLayout layout = layout_of(comm, group);
  h5::Group target;
  together(comm, [&] {
    target = h5::create_group(file, group.name);
    h5::write_attribute(target.get(), kCommon, group.common ? 1 : 0);
  });
  for (const NumberRows& array : group.arrays) {
    together(comm, [&] { h5::write_rows(target.get(), array.name, layout, array); });
    together(comm, [&] { h5::write_attribute_of(target.get(), array.name, "unit", array.unit); });
  }
}

StateGroup read_group(MPI_Comm comm, hid_t file, const std::string& name) {
  const h5::Group source = h5::open_group(file, name);
  StateGroup group{.name = name,
                   .common = h5::read_scalar_attribute<std::int64_t>(source.get(), kCommon) != 0};
  const Share share = group.common ? Share{} : Share{rank_of(comm), size_of(comm)};
  for (const std::string& child : h5::children(source.get())) {
    NumberArray array = empty_array(source.get(), child);
    const std::vector<std::int64_t> extents = h5::extents(source.get(), child);
    if (extents.empty() || extents.size() > 2) refuse_state(child);
    array.width = extents.size() == 2 ? static_cast<int>(extents[1]) : 1;
    const std::int64_t first = share.begin(extents[0]);
    const std::int64_t rows = share.end(extents[0]) - first;
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          values = h5::read_rows<T>(source.get(), child, first, rows, array.width);
        },
        array.values);
    group.arrays.push_back(std::move(array));
  }
  return group;
}

}  // namespace scree
