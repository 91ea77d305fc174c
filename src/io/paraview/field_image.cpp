#include "scree/io/paraview/field_image.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "scree/base/parallel.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/tables/markup.hpp"
#include "scree/io/version.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

Vec3i cells_of(const FieldGrid& grid) {
  return {grid.axes[0].cells, grid.axes[1].cells, grid.axes[2].cells};
}

/// Collective.
void write_header(MPI_Comm comm, hid_t file, const FieldImage& image,
                  const std::string& configuration) {
  h5::write_attribute(file, "program", "scree");
  h5::write_attribute(file, "version", std::string(version()));
  h5::write_attribute(file, "git_hash", std::string(git_hash()));
  h5::write_attribute(file, "kind", "fields");
  h5::write_attribute(file, "from", image.from);
  h5::write_attribute(file, "time", image.time);
  h5::write_attribute(file, "step", image.step);
  h5::write_attribute(file, "samples", image.samples);
  h5::write_attribute(file, "seconds", image.seconds);
  h5::write_attribute(file, "width", image.width);
  h5::write_text(file, "configuration", configuration, rank_of(comm) == 0);
}

template <std::size_t kCount>
void write_list(hid_t group, const std::string& name,
                const std::array<std::int64_t, kCount>& list) {
  h5::write_attribute(group, name, std::span<const std::int64_t>(list));
}

void write_list(hid_t group, const std::string& name, const Vec3& list) {
  h5::write_attribute(group, name, std::span<const double>(list.data(), 3));
}

/// Makes the file a VTKHDF one.
void write_grid(hid_t group, const FieldGrid& grid) {
  const Vec3i cells = cells_of(grid);
  write_list(group, "Version", std::array<std::int64_t, 2>{1, 0});
  h5::write_attribute(group, "Type", "ImageData");
  write_list(group, "WholeExtent",
             std::array<std::int64_t, 6>{0, cells.x(), 0, cells.y(), 0, cells.z()});
  write_list(group, "Origin", grid.origin());
  write_list(group, "Spacing", grid.spacing());
  const Mat3 direction = Mat3::Identity();
  h5::write_attribute(group, "Direction", std::span<const double>(direction.data(), 9));
}

/// An upper bound of the size of the file, bytes.
std::int64_t size_bound(const FieldImage& image, const std::string& configuration) {
  constexpr std::int64_t kHeader = 65536;
  std::int64_t bytes = kHeader + static_cast<std::int64_t>(configuration.size());
  for (const FieldKind& kind : field_kinds()) {
    bytes += h5::size_bound(image.grid.n_cells(), kind.width, 8, h5::Storage::plain);
  }
  return bytes;
}

/// z, y, x, and the numbers of a cell where they are several.
std::vector<std::int64_t> lengths_of(const Vec3i& cells, int width) {
  std::vector<std::int64_t> lengths{cells.z(), cells.y(), cells.x()};
  if (width > 1) lengths.push_back(width);
  return lengths;
}

std::string spaced(const Vec3& x) {
  return fmt::format("{} {} {}", x.z(), x.y(), x.x());
}

std::string index_item(const FieldImageInfo& image, const std::string& file,
                       const FieldKind& kind) {
  std::string_view type = "Scalar";
  if (kind.width == 3) type = "Vector";
  if (kind.width == 9) type = "Tensor";
  return fmt::format(
      "      <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Cell\">\n"
      "        <DataItem Dimensions=\"{}\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">"
      "{}:/VTKHDF/CellData/{}</DataItem>\n      </Attribute>\n",
      kind.name, type, fmt::join(lengths_of(image.cells, kind.width), " "), escaped(file),
      kind.name);
}

/// Names of the numbers of a field in the table.
std::vector<std::string> columns_of(const FieldKind& kind) {
  if (kind.width == 1) return {std::string(kind.name)};
  std::vector<std::string> columns;
  constexpr std::string_view kAxes = "xyz";
  for (int i = 0; i < kind.width; ++i) {
    const std::string axes =
        kind.width == 3 ? std::string{kAxes[i]} : std::string{kAxes[i / 3], kAxes[i % 3]};
    columns.push_back(fmt::format("{}_{}", kind.name, axes));
  }
  return columns;
}

/// The numbers of an attribute, that must be so many.
template <class T, std::size_t kCount>
std::array<T, kCount> list_of(const fs::path& path, hid_t group, const char* name) {
  const std::vector<T> found = h5::read_attribute<T>(group, name);
  if (found.size() != kCount) {
    h5::refuse_damaged(path, fmt::format("{} has {} numbers", name, found.size()));
  }
  std::array<T, kCount> list;
  std::ranges::copy(found, list.begin());
  return list;
}

FieldImageInfo image_info_of(const fs::path& path) {
  const h5::File file = h5::open_file(path);
  const h5::Group group = h5::open_group(file.get(), "VTKHDF");
  const auto vector = [&](const char* name) {
    const auto x = list_of<double, 3>(path, group.get(), name);
    return Vec3(x[0], x[1], x[2]);
  };
  const auto extent = list_of<std::int64_t, 6>(path, group.get(), "WholeExtent");
  const auto cells = [&](int axis) { return static_cast<int>(extent[2 * axis + 1]); };
  return {path, h5::read_scalar_attribute<double>(file.get(), "time"), vector("Origin"),
          vector("Spacing"), Vec3i(cells(0), cells(1), cells(2))};
}

}  // namespace

FieldImageInfo write_field_image(MPI_Comm comm, const fs::path& path, const FieldImage& image,
                                 const std::string& configuration) {
  const Vec3i cells = cells_of(image.grid);
  const WholeFileSpec spec{.kind = "mean of fields", .bytes = size_bound(image, configuration)};
  write_whole_hdf5(comm, path, spec, [&](hid_t file) {
    h5::Group group;
    together(comm, [&] {
      write_header(comm, file, image, configuration);
      group = h5::create_group(file, "VTKHDF");
      write_grid(group.get(), image.grid);
    });
    for (const MeanField& field : image.fields) {
      const std::string name = fmt::format("CellData/{}", field.kind->name);
      const int width = field.kind->width;
      together(comm, [&] {
        h5::write_block(group.get(), name, lengths_of(cells, width), image.first * width,
                        field.values);
      });
      together(comm, [&] {
        h5::write_attribute_of(group.get(), name, "unit", std::string(field.kind->unit));
      });
    }
  });
  return {path, image.time, image.grid.origin(), image.grid.spacing(), cells};
}

FieldImageInfo read_field_image_info(const fs::path& path) {
  return h5::reading(path, [&] { return image_info_of(path); });
}

XdmfEntry xdmf_entry(const fs::path& folder, const FieldImageInfo& image) {
  const std::string file = fs::relative(image.path, folder).string();
  const Vec3i points = image.cells + Vec3i::Ones();
  std::string text = fmt::format(
      "    <Grid Name=\"fields\" GridType=\"Uniform\">\n      <Time Value=\"{}\"/>\n"
      "      <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n"
      "      <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n",
      image.time, points.z(), points.y(), points.x());
  for (const Vec3& x : {image.origin, image.spacing}) {
    text += fmt::format(
        "        <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"XML\">{}</DataItem>\n",
        spaced(x));
  }
  text += "      </Geometry>\n";
  for (const FieldKind& kind : field_kinds()) text += index_item(image, file, kind);
  return {image.path, text + "    </Grid>\n"};
}

std::string field_table_header() {
  std::string line = "time,step,from,samples,seconds,x,y,z";
  for (const FieldKind& kind : field_kinds()) {
    line += fmt::format(",{}", fmt::join(columns_of(kind), ","));
  }
  return line;
}

std::string field_table_rows(const FieldImage& image) {
  std::string rows;
  const std::string start = fmt::format("{},{},{},{},{}", image.time, image.step, image.from,
                                        image.samples, image.seconds);
  const std::int64_t n = image.fields.empty() ? 0 : std::ssize(image.fields[0].values);
  for (std::int64_t i = 0; i < n; ++i) {
    const Vec3 x = image.grid.centre(image.first + i);
    if (i > 0) rows += '\n';
    rows += fmt::format("{},{},{},{}", start, x.x(), x.y(), x.z());
    for (const MeanField& field : image.fields) {
      const double* values = &field.values[i * field.kind->width];
      for (int k = 0; k < field.kind->width; ++k) rows += fmt::format(",{}", values[k]);
    }
  }
  return rows;
}

}  // namespace scree
