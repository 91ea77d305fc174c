#include "scree/io/state/checkpoint.hpp"

#include <fmt/format.h>

#include "scree/base/parallel.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/seal.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/version.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kState = "state";

template <class T>
T value_of(const std::map<std::string, T>& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) refuse_state(name);
  return found->second;
}

/// All groups of @p content, which must live as long.
std::vector<StateRows> rows_of(const CheckpointContent& content) {
  std::vector<StateRows> rows = content.rows;
  for (const StateGroup& group : content.groups) rows.push_back(scree::rows_of(group));
  return rows;
}

/// An upper bound of the size of the file, bytes. Collective.
std::int64_t size_bound(MPI_Comm comm, const CheckpointContent& content) {
  std::int64_t bytes = 65536 + static_cast<std::int64_t>(content.configuration.size());
  for (const StateRows& group : rows_of(content)) bytes += scree::size_bound(comm, group);
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

/// The named numbers, each by the type that it has in the file.
void read_numbers(hid_t state, CheckpointContent& content) {
  for (const std::string& name : h5::attributes(state)) {
    const h5::Attribute attribute(SCREE_HDF5(H5Aopen(state, name.c_str(), H5P_DEFAULT)));
    const h5::Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
    if (H5Tget_class(type.get()) == H5T_INTEGER) {
      content.integers[name] = h5::read_scalar_attribute<std::int64_t>(state, name);
    } else {
      content.reals[name] = h5::read_scalar_attribute<double>(state, name);
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
  return arrays_of(groups, name);
}

void write_checkpoint(MPI_Comm comm, const fs::path& path, const CheckpointContent& content) {
  const WholeFileSpec spec{
      .kind = "checkpoint", .bytes = size_bound(comm, content), .user_block = kSealBytes};
  write_whole_hdf5(
      comm, path, spec,
      [&](hid_t file) {
        write_head(comm, file, content);
        for (const StateRows& group : rows_of(content)) write_group(comm, file, group);
      },
      [comm](const fs::path& part) { seal(comm, part); });
}

namespace {

CheckpointContent content_of(MPI_Comm comm, const fs::path& path) {
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

}  // namespace

CheckpointContent read_checkpoint(MPI_Comm comm, const fs::path& path) {
  return h5::reading(path, [&] { return content_of(comm, path); });
}

}  // namespace scree
