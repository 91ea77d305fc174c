#include "scree/io/paraview/snapshot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "field_arrays.hpp"
#include "io/hdf5/hdf5_values.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/state/shape_tables.hpp"
#include "scree/io/version.hpp"
#include "wall_blocks.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

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

  /// Makes the file a VTKHDF one: a cloud of @p grains vertices.
  void cloud(hid_t group, const h5::RowLayout& grains) const {
    together(comm_, [&] {
      const std::int64_t vtkhdf_version[] = {1, 0};
      h5::write_attribute(group, "Version", std::span<const std::int64_t>(vtkhdf_version));
      h5::write_attribute(group, "Type", "UnstructuredGrid");
      h5::create_group(group, "PointData");
      h5::create_group(group, "FieldData");
    });
    const h5::RowLayout one = h5::rows_of_first_rank(comm_, 1);
    rows(group, one, same<double>("FieldData/TimeValue", one.local, meta_.time));
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {
      rows(group, one, same<std::int64_t>(name, one.local, grains.total));
    }
    // The end of the last cell is written by the last rank: Offsets has a row more than cells.
    const bool is_last = rank_of(comm_) == size_of(comm_) - 1;
    h5::RowLayout ends{grains.local + (is_last ? 1 : 0), grains.first, grains.total + 1,
                       grains.most + 1};
    rows(group, ends, counting("Offsets", ends));
    rows(group, grains, counting("Connectivity", grains));
    rows(group, grains, same<std::uint8_t>("Types", grains.local, 1));
  }

  /// One array with its unit, and the names that its numbers stand for, as @p dataset.
  void array(hid_t group, const std::string& dataset, const h5::RowLayout& layout,
             const NumberRows& array, const std::vector<std::string>& tool_names = {}) const {
    write(group, dataset, layout, array);
    together(comm_, [&] {
      h5::write_attribute_of(group, dataset, "unit", array.unit);
      if (array.name == "orientation") {
        h5::write_attribute_of(group, dataset, "components", "w,x,y,z");
      }
      if (const auto names = names_for(array.name, tool_names); !names.empty()) {
        h5::write_attribute_of(group, dataset, "names", fmt::format("{}", fmt::join(names, ",")));
      }
    });
  }

 private:
  void write(hid_t group, const std::string& dataset, const h5::RowLayout& layout,
             const NumberRows& array) const {
    const auto storage = meta_.content.deflate ? h5::Storage::packed : h5::Storage::plain;
    together(comm_, [&] { h5::write_rows(group, dataset, layout, array, storage); });
  }

  /// Rows that have no unit, under their own name.
  void rows(hid_t group, const h5::RowLayout& layout, const NumberRows& array) const {
    write(group, array.name, layout, array);
  }

  template <class T>
  static NumberRows same(std::string name, std::int64_t n, T value) {
    return rows_by<T>(std::move(name), "", 1, n, [value](std::int64_t, T* to) { *to = value; });
  }

  static NumberRows counting(std::string name, const h5::RowLayout& layout) {
    return rows_by<std::int64_t>(
        std::move(name), "", 1, layout.local,
        [first = layout.first](std::int64_t row, std::int64_t* to) { *to = first + row; });
  }

  std::vector<std::string> names_for(const std::string& field,
                                     const std::vector<std::string>& tool_names) const {
    if (field == "shape") return shape_names();
    if (field == "material" || field == "density") return meta_.materials;
    if (field == "group") return tool_names.empty() ? meta_.groups : tool_names;
    return {};
  }

  MPI_Comm comm_;
  hid_t file_;
  const SnapshotMeta& meta_;
};

PointArray describe(const NumberRows& array) {
  constexpr std::string_view kTypes[] = {"Float", "Int", "Int", "UChar", "Float"};
  return {array.name, array.width, kTypes[array.make.index()], array.precision()};
}

/// Positions keep their digits: differences of them are what overlaps are read from.
bool is_position(const std::string& name) {
  return name == "position" || name == "unwrapped_position";
}

/// The part of @p arrays that is written, as it is written.
std::vector<NumberRows> chosen(std::vector<NumberRows> arrays, const SnapshotContent& content) {
  std::erase_if(arrays, [&](const NumberRows& array) { return !content.has(array.name); });
  if (content.precision == SnapshotPrecision::full) return arrays;
  for (NumberRows& array : arrays) {
    if (!is_position(array.name)) array = in_single(array);
  }
  return arrays;
}

/// The content of a snapshot, ready to be written: @p grains of this rank, @p tools on rank 0.
struct Content {
  h5::RowLayout grain_rows;
  h5::RowLayout tool_rows;
  std::vector<NumberRows> grains;
  std::vector<NumberRows> tools;
  NumberArray densities;
  std::vector<WallBlock> walls;
  std::vector<StateGroup> hulls;
};

/// Collective.
Content content_of(MPI_Comm comm, const Store& store, const SnapshotMeta& meta) {
  const int rank = rank_of(comm);
  Content content;
  content.grain_rows = h5::row_layout(comm, store.n_owned);
  content.tool_rows = h5::rows_of_first_rank(comm, store.n_tools);
  std::vector<NumberRows> grains = field_rows(store, store.first_owned(), store.end_owned());
  grains.push_back(rows_by<std::int32_t>("owner", "1", 1, store.n_owned,
                                         [rank](std::int64_t, std::int32_t* to) { *to = rank; }));
  if (meta.cell.repeats()) grains.push_back(unwrapped_rows(store, meta.cell));
  content.grains = chosen(std::move(grains), meta.content);
  content.densities = {"density", "kg/m^3", 1, meta.densities};
  content.walls = wall_blocks(comm, store, meta.tools, meta.tool_forces);
  content.hulls = shape_tables(*store.shapes);
  const auto n_tools = static_cast<std::int32_t>(content.tool_rows.local);
  content.tools = field_rows(store, 0, n_tools);
  content.tools.push_back(hole_rows(std::span(store.shape).first(n_tools)));
  return content;
}

/// An upper bound of the size of the file, bytes. Collective.
std::int64_t size_bound(MPI_Comm comm, const Content& content, const SnapshotMeta& meta) {
  std::int64_t bytes = 131072 + static_cast<std::int64_t>(meta.configuration.size());
  const std::int64_t cells = content.grain_rows.total;
  bytes += 2 * h5::size_bound(cells + 1, 1, 8, h5::Storage::packed) +
           h5::size_bound(cells, 1, 1, h5::Storage::packed);
  for (const WallBlock& wall : content.walls) {
    for (const NumberArray& array : wall.arrays) {
      bytes +=
          h5::size_bound(array.rows(), array.width, array.precision(), h5::Storage::packed) + 4096;
    }
  }
  for (const StateGroup& group : content.hulls) {
    bytes += scree::size_bound(comm, rows_of(group));
  }
  for (const auto* arrays : {&content.grains, &content.tools}) {
    const auto rows =
        arrays == &content.grains ? content.grain_rows.total : content.tool_rows.total;
    for (const NumberRows& array : *arrays) {
      bytes += h5::size_bound(rows, array.width, array.precision(), h5::Storage::packed);
    }
  }
  return bytes;
}

/// The grains: points and their data. Collective. Gives the arrays of the point data.
std::vector<PointArray> write_grains(MPI_Comm comm, hid_t file, const Writer& writer,
                                     const Content& content) {
  std::vector<PointArray> written;
  h5::Group group;
  together(comm, [&] { group = h5::create_group(file, "VTKHDF"); });
  writer.cloud(group.get(), content.grain_rows);
  for (const NumberRows& array : content.grains) {
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
  for (const NumberRows& array : content.tools) {
    writer.array(group.get(), array.name, content.tool_rows, array, meta.tools);
  }
}

/// An array that every rank knows, and rank 0 writes. Collective.
void write_common(MPI_Comm comm, hid_t group, const Writer& writer, const NumberArray& array) {
  writer.array(group, array.name, h5::rows_of_first_rank(comm, array.rows()), rows_of(array));
}

/// The densities, from which masses follow. Collective.
void write_materials(MPI_Comm comm, hid_t file, const Writer& writer, const Content& content) {
  if (content.densities.rows() == 0) return;
  h5::Group group;
  together(comm, [&] { group = h5::create_group(file, "materials"); });
  write_common(comm, group.get(), writer, content.densities);
}

/// Walls and tools as surfaces. Collective. Gives what the index says of them.
std::vector<WallSurface> write_walls(MPI_Comm comm, hid_t file, const Writer& writer,
                                     const Content& content) {
  std::vector<WallSurface> written;
  for (const WallBlock& wall : content.walls) {
    h5::Group group;
    together(comm, [&] { group = h5::create_group(file, "walls/" + wall.name); });
    h5::write_attribute(group.get(), "shape", wall.shape);
    for (const NumberArray& array : wall.arrays) write_common(comm, group.get(), writer, array);
    written.push_back({wall.name, wall.arrays[0].rows(), wall.arrays[1].rows()});
  }
  return written;
}

/// Reads back what write_walls() gave.
/// @throws InputError where the dataset is none of rows
std::int64_t rows_in(hid_t group, const std::string& name) {
  const std::vector<std::int64_t> extents = h5::extents(group, name);
  if (extents.empty()) throw InputError(fmt::format("{}: has no rows", h5::place_of(group, name)));
  return extents[0];
}

std::vector<WallSurface> read_walls(const h5::File& file) {
  std::vector<WallSurface> walls;
  if (!h5::is_group(file.get(), "walls")) return walls;
  const h5::Group group = h5::open_group(file.get(), "walls");
  for (const std::string& name : h5::children(group.get())) {
    walls.push_back(
        {name, rows_in(group.get(), name + "/points"), rows_in(group.get(), name + "/triangles")});
  }
  return walls;
}

}  // namespace

SnapshotInfo write_snapshot(MPI_Comm comm, const fs::path& path, const Store& store,
                            const SnapshotMeta& meta) {
  const Content content = content_of(comm, store, meta);
  SnapshotInfo info{.path = path,
                    .time = meta.time,
                    .bodies = content.grain_rows.total,
                    .arrays = {},
                    .walls = {}};
  const WholeFileSpec spec{.kind = "snapshot", .bytes = size_bound(comm, content, meta)};
  write_whole_hdf5(comm, path, spec, [&](hid_t file) {
    const Writer writer(comm, file, meta);
    writer.header();
    info.arrays = write_grains(comm, file, writer, content);
    write_tools(comm, file, writer, content, meta);
    write_materials(comm, file, writer, content);
    info.walls = write_walls(comm, file, writer, content);
    for (const StateGroup& group : content.hulls) write_group(comm, file, rows_of(group));
  });
  std::sort(info.arrays.begin(), info.arrays.end(),
            [](const PointArray& a, const PointArray& b) { return a.name < b.name; });
  std::ranges::sort(info.walls, {}, &WallSurface::name);
  return info;
}

namespace {

SnapshotInfo info_of(const fs::path& path) {
  const h5::File file = h5::open_file(path);
  const h5::Group data = h5::open_group(file.get(), "VTKHDF/PointData");
  SnapshotInfo info{.path = path,
                    .time = h5::read_scalar_attribute<double>(file.get(), "time"),
                    .bodies = h5::read_scalar<std::int64_t>(file.get(), "VTKHDF/NumberOfPoints"),
                    .arrays = {},
                    .walls = read_walls(file)};
  for (const std::string& name : h5::children(data.get())) {
    const h5::Dataset dataset(SCREE_HDF5(H5Dopen2(data.get(), name.c_str(), H5P_DEFAULT)));
    const h5::Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
    const std::vector<std::int64_t> extents = h5::extents(data.get(), name);
    const auto precision = static_cast<int>(H5Tget_size(type.get()));
    const std::string_view whole = precision == 1 ? "UChar" : "Int";
    info.arrays.push_back({.name = name,
                           .width = extents.size() > 1 ? static_cast<int>(extents[1]) : 1,
                           .type = H5Tget_class(type.get()) == H5T_FLOAT ? "Float" : whole,
                           .precision = precision});
  }
  return info;
}

}  // namespace

SnapshotInfo read_snapshot_info(const fs::path& path) {
  return h5::reading(path, [&] { return info_of(path); });
}

}  // namespace scree
