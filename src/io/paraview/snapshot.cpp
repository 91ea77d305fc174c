#include "scree/io/paraview/snapshot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

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
    rows(group, "FieldData/TimeValue", one_row(), std::vector<double>(one_row().local, meta_.time));
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {
      rows(group, name, one_row(), std::vector<std::int64_t>(one_row().local, grains.total));
    }
    // The end of the last cell is written by the last rank: Offsets has a row more than cells.
    const bool is_last = rank_of(comm_) == size_of(comm_) - 1;
    h5::RowLayout ends{grains.local + (is_last ? 1 : 0), grains.first, grains.total + 1};
    rows(group, "Offsets", ends, counting(ends));
    rows(group, "Connectivity", grains, counting(grains));
    rows(group, "Types", grains, std::vector<std::uint8_t>(grains.local, 1));
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
    const auto storage = meta_.content.deflate ? h5::Storage::packed : h5::Storage::plain;
    together(comm_, [&] {
      h5::write_rows(group, name, layout, std::span<const T>(values), width, storage);
    });
  }

  h5::RowLayout one_row() const {
    return rank_of(comm_) == 0 ? h5::RowLayout{1, 0, 1} : h5::RowLayout{0, 1, 1};
  }

  static std::vector<std::int64_t> counting(const h5::RowLayout& layout) {
    std::vector<std::int64_t> numbers(layout.local);
    std::iota(numbers.begin(), numbers.end(), layout.first);
    return numbers;
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

PointArray describe(const NumberArray& array) {
  constexpr std::string_view kTypes[] = {"Float", "Int", "Int", "UChar", "Float"};
  const std::size_t kind = array.values.index();
  return {array.name, array.width, kTypes[kind], array.precision()};
}

/// The array in single precision.
NumberArray in_single(const NumberArray& array) {
  const auto* values = std::get_if<std::vector<double>>(&array.values);
  if (values == nullptr) return array;
  std::vector<float> rounded(values->size());
  std::ranges::transform(*values, rounded.begin(),
                         [](double value) { return static_cast<float>(value); });
  return {array.name, array.unit, array.width, std::move(rounded)};
}

/// Positions keep their digits: differences of them are what overlaps are read from.
bool is_position(const std::string& name) {
  return name == "position" || name == "unwrapped_position";
}

/// The part of @p arrays that is written, as it is written.
std::vector<NumberArray> chosen(std::vector<NumberArray> arrays, const SnapshotContent& content) {
  std::erase_if(arrays, [&](const NumberArray& array) { return !content.has(array.name); });
  if (content.precision == SnapshotPrecision::full) return arrays;
  for (NumberArray& array : arrays) {
    if (!is_position(array.name)) array = in_single(array);
  }
  return arrays;
}

/// The content of a snapshot, ready to be written: @p grains of this rank, @p tools on rank 0.
struct Content {
  h5::RowLayout grain_rows;
  h5::RowLayout tool_rows;
  std::vector<NumberArray> grains;
  std::vector<NumberArray> tools;
  NumberArray densities;
  std::vector<WallBlock> walls;
  std::vector<StateGroup> hulls;
};

/// Collective.
Content content_of(MPI_Comm comm, const Store& store, const SnapshotMeta& meta) {
  const int rank = rank_of(comm);
  const std::int32_t n_tools = store.n_tools;
  Content content;
  content.grain_rows = h5::row_layout(comm, store.n_owned);
  content.tool_rows = {rank == 0 ? n_tools : 0, rank == 0 ? 0 : n_tools, n_tools};
  std::vector<NumberArray> grains = number_arrays(store, store.first_owned(), store.end_owned());
  grains.push_back({"owner", "1", 1, std::vector<std::int32_t>(store.n_owned, rank)});
  if (meta.cell.repeats()) grains.push_back(unwrapped_array(store, meta.cell));
  content.grains = chosen(std::move(grains), meta.content);
  content.densities = {"density", "kg/m^3", 1, meta.densities};
  content.walls = wall_blocks(comm, store, meta.tools, meta.tool_forces);
  content.hulls = shape_tables(*store.shapes);
  content.tools = number_arrays(store, 0, rank == 0 ? n_tools : 0);
  content.tools.push_back(hole_array(std::span(store.shape).first(rank == 0 ? n_tools : 0)));
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
  for (const StateGroup& group : content.hulls) bytes += scree::size_bound(comm, group);
  for (const auto* arrays : {&content.grains, &content.tools}) {
    const auto rows =
        arrays == &content.grains ? content.grain_rows.total : content.tool_rows.total;
    for (const NumberArray& array : *arrays) {
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

/// An array that every rank knows, and rank 0 writes. Collective.
void write_common(MPI_Comm comm, hid_t group, const Writer& writer, NumberArray array) {
  const std::int64_t n = array.rows();
  const bool writes = rank_of(comm) == 0;
  if (!writes) std::visit([](auto& values) { values.clear(); }, array.values);
  const std::string name = array.name;
  writer.array(group, name, {writes ? n : 0, writes ? 0 : n, n}, array);
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
    for (const StateGroup& group : content.hulls) write_group(comm, file, group);
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
