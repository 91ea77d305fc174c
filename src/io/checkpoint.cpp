#include "scree/io/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/io/hdf5.hpp"
#include "scree/io/seal.hpp"
#include "scree/io/version.hpp"
#include "scree/io/whole_file.hpp"
#include "scree/sources/generators.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kState = "state";
constexpr const char* kCommon = "common";

[[noreturn]] void refuse(const std::string& name) {
  throw InputError(fmt::format(
      "the state {} is missing or of another kind: another version of scree wrote it", name));
}

template <class T>
T value_of(const std::map<std::string, T>& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) refuse(name);
  return found->second;
}

/// Which rows of a group each rank writes: rank 0 writes what is common. Collective.
h5::RowLayout layout_of(MPI_Comm comm, const StateGroup& group) {
  const std::int64_t rows = group.arrays.empty() ? 0 : group.arrays.front().rows();
  return h5::row_layout(comm, group.common && rank_of(comm) != 0 ? 0 : rows);
}

/// An upper bound of the size of the file, bytes. Collective.
std::int64_t size_bound(MPI_Comm comm, const CheckpointContent& content) {
  constexpr std::int64_t kHeader = 4096;  // of a dataset with its attributes, or a group
  std::int64_t bytes = 65536 + static_cast<std::int64_t>(content.configuration.size());
  for (const StateGroup& group : content.groups) {
    const h5::RowLayout layout = layout_of(comm, group);
    for (const NumberArray& array : group.arrays) {
      bytes += kHeader + layout.total * array.width * array.precision();
    }
  }
  return bytes;
}

/// Collective.
void write_head(MPI_Comm comm, hid_t file, const CheckpointContent& content) {
  together(comm, [&] {
    h5::write_attribute(file, "program", "scree");
    h5::write_attribute(file, "version", std::string(version()));
    h5::write_attribute(file, "git_hash", std::string(git_hash()));
    h5::write_attribute(file, "kind", "checkpoint");
    h5::write_attribute(file, "ranks", size_of(comm));
    h5::write_text(file, "configuration", content.configuration, rank_of(comm) == 0);
    const h5::Group state = h5::create_group(file, kState);
    for (const auto& [name, value] : content.integers) {
      h5::write_attribute(state.get(), name, value);
    }
    for (const auto& [name, value] : content.reals) h5::write_attribute(state.get(), name, value);
  });
}

/// Collective.
void write_group(MPI_Comm comm, hid_t file, const StateGroup& group) {
  const h5::RowLayout layout = layout_of(comm, group);
  h5::Group target;
  together(comm, [&] {
    target = h5::create_group(file, group.name);
    h5::write_attribute(target.get(), kCommon, group.common ? 1 : 0);
  });
  for (const NumberArray& array : group.arrays) {
    together(comm, [&] {
      std::visit(
          [&]<class T>(const std::vector<T>& values) {
            const std::size_t mine = layout.local * array.width;
            h5::write_rows(target.get(), array.name, layout, std::span<const T>(values).first(mine),
                           array.width);
          },
          array.values);
      h5::write_attribute_of(target.get(), array.name, "unit", array.unit);
    });
  }
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
    refuse(name);
  }
  return array;
}

/// Collective.
StateGroup read_group(MPI_Comm comm, hid_t file, const std::string& name) {
  const h5::Group source = h5::open_group(file, name);
  StateGroup group{.name = name,
                   .common = h5::read_attribute<std::int64_t>(source.get(), kCommon).at(0) != 0};
  const Share share = group.common ? Share{} : Share{rank_of(comm), size_of(comm)};
  for (const std::string& child : h5::children(source.get())) {
    NumberArray array = empty_array(source.get(), child);
    const std::vector<std::int64_t> extents = h5::extents(source.get(), child);
    if (extents.empty() || extents.size() > 2) refuse(child);
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

/// The named numbers, each by the type that it has in the file.
void read_numbers(hid_t state, CheckpointContent& content) {
  for (const std::string& name : h5::attributes(state)) {
    const h5::Attribute attribute(SCREE_HDF5(H5Aopen(state, name.c_str(), H5P_DEFAULT)));
    const h5::Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
    if (H5Tget_class(type.get()) == H5T_INTEGER) {
      content.integers[name] = h5::read_attribute<std::int64_t>(state, name).at(0);
    } else {
      content.reals[name] = h5::read_attribute<double>(state, name).at(0);
    }
  }
}

}  // namespace

std::int64_t CheckpointContent::integer(const std::string& name) const {
  return value_of(integers, name);
}

double CheckpointContent::real(const std::string& name) const {
  return value_of(reals, name);
}

const std::vector<NumberArray>& CheckpointContent::group(const std::string& name) const {
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const StateGroup& group) { return group.name == name; });
  if (found == groups.end()) refuse(name);
  return found->arrays;
}

template <class T>
const std::vector<T>& numbers_of(const std::vector<NumberArray>& arrays, const std::string& name,
                                 int width) {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const NumberArray& array) { return array.name == name; });
  if (found == arrays.end() || found->width != width) refuse(name);
  const auto* values = std::get_if<std::vector<T>>(&found->values);
  if (values == nullptr) refuse(name);
  return *values;
}
template const std::vector<double>& numbers_of<double>(const std::vector<NumberArray>&,
                                                       const std::string&, int);
template const std::vector<std::int64_t>& numbers_of<std::int64_t>(const std::vector<NumberArray>&,
                                                                   const std::string&, int);
template const std::vector<std::int32_t>& numbers_of<std::int32_t>(const std::vector<NumberArray>&,
                                                                   const std::string&, int);

void write_checkpoint(MPI_Comm comm, const fs::path& path, const CheckpointContent& content) {
  const WholeFileSpec spec{
      .kind = "checkpoint", .bytes = size_bound(comm, content), .user_block = kSealBytes};
  write_whole_hdf5(
      comm, path, spec,
      [&](hid_t file) {
        write_head(comm, file, content);
        for (const StateGroup& group : content.groups) write_group(comm, file, group);
      },
      [comm](const fs::path& part) { seal(comm, part); });
}

CheckpointContent read_checkpoint(MPI_Comm comm, const fs::path& path) {
  const h5::File file = h5::open_file(comm, path);
  CheckpointContent content;
  content.configuration = h5::read_text(file.get(), "configuration");
  read_numbers(h5::open_group(file.get(), kState).get(), content);
  for (const std::string& name : h5::children(file.get())) {
    if (name == kState || !h5::is_group(file.get(), name)) continue;
    content.groups.push_back(read_group(comm, file.get(), name));
  }
  return content;
}

}  // namespace scree
