#include "scree/io/snapshot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <numeric>

#include "field_arrays.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/hdf5.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/version.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Runs one piece of collective work on every rank; when it fails on any, throws on all, so that
/// none is left waiting in the next piece. Collective.
template <class Work>
void together(MPI_Comm comm, Work&& work) {
  std::string problem;
  try {
    work();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  fail_together(comm, problem);
}

/// Writes the parts of one snapshot. Every member function is collective.
class Writer {
 public:
  Writer(MPI_Comm comm, hid_t file, const SnapshotMeta& meta)
      : comm_(comm), file_(file), meta_(meta) {}

  void header() const {
    together(comm_, [&] {
      h5::write_attribute(file_, "program", "scree");
      h5::write_attribute(file_, "version", std::string(version()));
      h5::write_attribute(file_, "git_hash", std::string(git_hash()));
      h5::write_attribute(file_, "kind", "snapshot");
      h5::write_attribute(file_, "ranks", size_of(comm_));
      h5::write_attribute(file_, "time", meta_.time);
      h5::write_attribute(file_, "step", meta_.step);
      h5::write_attribute(file_, "dt", meta_.dt);
      h5::write_text(file_, "configuration", meta_.configuration, rank_of(comm_) == 0);
    });
  }

  /// What makes the file a VTKHDF one: a cloud of @p grains vertices.
  void cloud(hid_t group, const h5::RowLayout& grains) const {
    together(comm_, [&] {
      const std::int64_t vtkhdf_version[] = {1, 0};
      h5::write_attribute(group, "Version", std::span<const std::int64_t>(vtkhdf_version));
      h5::write_attribute(group, "Type", "UnstructuredGrid");
      h5::create_group(group, "PointData");
    });
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {
      rows(group, name, one_row(), std::vector<std::int64_t>(one_row().local, grains.total));
    }
    // The end of the last cell is written by the last rank: Offsets has a row more than cells.
    const bool is_last = rank_of(comm_) == size_of(comm_) - 1;
    h5::RowLayout ends{grains.local + (is_last ? 1 : 0), grains.first, grains.total + 1};
    rows(group, "Offsets", ends, counting(ends));
    rows(group, "Connectivity", grains, counting(grains));
    rows(group, "Types", grains,
         std::vector<std::uint8_t>(static_cast<std::size_t>(grains.local), 1));
  }

  /// One array with its unit, and the names that its numbers stand for.
  void array(hid_t group, const std::string& name, const h5::RowLayout& layout,
             const NumberArray& array, const std::vector<std::string>& tool_names = {}) const {
    std::visit([&](const auto& values) { rows(group, name, layout, values, array.width); },
               array.values);
    together(comm_, [&] {
      h5::write_attribute_of(group, name, "unit", array.unit);
      if (array.name == "orientation") {
        h5::write_attribute_of(group, name, "components", "w,x,y,z");
      }
      if (const auto names = names_for(array.name, tool_names); !names.empty()) {
        h5::write_attribute_of(group, name, "names", fmt::format("{}", fmt::join(names, ",")));
      }
    });
  }

 private:
  template <class T>
  void rows(hid_t group, const std::string& name, const h5::RowLayout& layout,
            const std::vector<T>& values, int width = 1) const {
    together(comm_,
             [&] { h5::write_rows(group, name, layout, std::span<const T>(values), width); });
  }

  h5::RowLayout one_row() const {
    return rank_of(comm_) == 0 ? h5::RowLayout{1, 0, 1} : h5::RowLayout{0, 1, 1};
  }

  static std::vector<std::int64_t> counting(const h5::RowLayout& layout) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(layout.local));
    std::iota(numbers.begin(), numbers.end(), layout.first);
    return numbers;
  }

  std::vector<std::string> names_for(const std::string& field,
                                     const std::vector<std::string>& tool_names) const {
    if (field == "shape") return shape_names();
    if (field == "material") return meta_.materials;
    if (field == "group") return tool_names.empty() ? meta_.groups : tool_names;
    return {};
  }

  MPI_Comm comm_;
  hid_t file_;
  const SnapshotMeta& meta_;
};

PointArray describe(const NumberArray& array) {
  constexpr std::string_view kTypes[] = {"Float", "Int", "Int", "UChar"};
  constexpr int kPrecisions[] = {8, 8, 4, 1};
  const std::size_t kind = array.values.index();
  return {array.name, array.width, kTypes[kind], kPrecisions[kind]};
}

/// What a snapshot holds, ready to be written: @p grains of this rank, @p tools on rank 0.
struct Content {
  h5::RowLayout grain_rows;
  h5::RowLayout tool_rows;
  std::vector<NumberArray> grains;
  std::vector<NumberArray> tools;
};

/// Collective.
Content content_of(MPI_Comm comm, const Store& store) {
  const int rank = rank_of(comm);
  const std::int32_t n_tools = store.n_tools;
  Content content;
  content.grain_rows = h5::row_layout(comm, store.n_owned);
  content.tool_rows = {rank == 0 ? n_tools : 0, rank == 0 ? 0 : n_tools, n_tools};
  content.grains = number_arrays(store, store.first_owned(), store.end_owned());
  content.grains.push_back(
      {"owner", "1", 1, std::vector<std::int32_t>(static_cast<std::size_t>(store.n_owned), rank)});
  content.tools = number_arrays(store, 0, rank == 0 ? n_tools : 0);
  return content;
}

/// An upper bound of the size of the file, bytes.
std::int64_t size_bound(const Content& content, const SnapshotMeta& meta) {
  constexpr std::int64_t kHeader = 4096;  // of a dataset with its attributes, or a group
  std::int64_t bytes = 65536 + static_cast<std::int64_t>(meta.configuration.size());
  bytes += 17 * (content.grain_rows.total + 1) + 8 * kHeader;  // connectivity, offsets, types
  for (const auto* arrays : {&content.grains, &content.tools}) {
    const auto rows =
        arrays == &content.grains ? content.grain_rows.total : content.tool_rows.total;
    for (const NumberArray& array : *arrays) {
      bytes += kHeader + rows * array.width * describe(array).precision;
    }
  }
  return bytes;
}

/// Reserves @p bytes of disk for the file: HDF5 gives back on closing what it did not use. A disk
/// that is full is so met while the file can still be closed and removed: HDF5 cannot close one
/// whose writes have failed. File systems that cannot reserve are left to themselves.
void reserve(const fs::path& path, std::int64_t bytes) {
  const int file = open(path.c_str(), O_WRONLY);
  const int code = file < 0 ? -1 : fallocate(file, 0, 0, bytes);
  const int error = errno;
  if (file >= 0) close(file);
  if (code != 0 && error != EOPNOTSUPP && error != ENOSYS) {
    throw Failure(
        fmt::format("{} bytes cannot be had on this disk: {}", bytes, std::strerror(error)));
  }
}

/// The grains: points and their data. Collective. Gives the arrays of the point data.
std::vector<PointArray> write_grains(MPI_Comm comm, hid_t file, const Writer& writer,
                                     const Content& content) {
  std::vector<PointArray> written;
  h5::Group group;
  together(comm, [&] { group = h5::create_group(file, "VTKHDF"); });
  writer.cloud(group.get(), content.grain_rows);
  for (const NumberArray& array : content.grains) {
    if (array.name == "position") {
      writer.array(group.get(), "Points", content.grain_rows, array);
      continue;
    }
    writer.array(group.get(), "PointData/" + array.name, content.grain_rows, array);
    written.push_back(describe(array));
  }
  return written;
}

/// Walls and tools: every rank knows them, rank 0 writes them. Collective.
void write_tools(MPI_Comm comm, hid_t file, const Writer& writer, const Content& content,
                 const SnapshotMeta& meta) {
  h5::Group group;
  together(comm, [&] { group = h5::create_group(file, "tools"); });
  for (const NumberArray& array : content.tools) {
    writer.array(group.get(), array.name, content.tool_rows, array, meta.tools);
  }
}

}  // namespace

SnapshotInfo write_snapshot(MPI_Comm comm, const fs::path& path, const Store& store,
                            const SnapshotMeta& meta) {
  const fs::path part = part_of(path);
  const bool is_first = rank_of(comm) == 0;
  const Content content = content_of(comm, store);
  SnapshotInfo info{
      .path = path, .time = meta.time, .bodies = content.grain_rows.total, .arrays = {}};
  try {
    h5::File file;
    together(comm, [&] { file = h5::create_file(comm, part); });
    together(comm, [&] {
      if (is_first) reserve(part, size_bound(content, meta));
    });
    const Writer writer(comm, file.get(), meta);
    writer.header();
    info.arrays = write_grains(comm, file.get(), writer, content);
    write_tools(comm, file.get(), writer, content, meta);
    together(comm, [&] { file.close(); });
    together(comm, [&] {
      if (is_first) publish(part, path);
    });
  } catch (const Failure& failure) {
    std::error_code ignored;
    if (is_first) fs::remove(part, ignored);
    throw Failure(
        fmt::format("the snapshot {} was not written: {}", path.string(), failure.what()));
  }
  return info;
}

}  // namespace scree
