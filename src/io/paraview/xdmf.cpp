#include "scree/io/paraview/xdmf.hpp"

#include <fmt/format.h>

#include "scree/io/tables/markup.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A reference to a dataset of @p file.
std::string item(const std::string& file, const std::string& dataset, std::int64_t rows, int width,
                 std::string_view type, int precision) {
  const std::string shape = width > 1 ? fmt::format("{} {}", rows, width) : fmt::to_string(rows);
  return fmt::format(
      R"(<DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}:/{}</DataItem>)",
      shape, type, precision, escaped(file), dataset);
}

std::string_view attribute_type(int width) {
  if (width == 4) return "Matrix";
  return width == 3 ? "Vector" : "Scalar";
}

std::string attribute(std::string_view name, int width, std::string_view center,
                      const std::string& data) {
  return fmt::format(
      "        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">\n          {}\n"
      "        </Attribute>\n",
      name, attribute_type(width), center, data);
}

/// A uniform grid of cells at points.
std::string block(std::string_view name, const std::string& topology, const std::string& points,
                  const std::string& attributes) {
  return fmt::format(
      "      <Grid Name=\"{}\" GridType=\"Uniform\">\n        {}\n"
      "        <Geometry GeometryType=\"XYZ\">\n          {}\n        </Geometry>\n{}"
      "      </Grid>\n",
      name, topology, points, attributes);
}

std::string grains_block(const std::string& file, const SnapshotInfo& snapshot) {
  const std::int64_t n = snapshot.bodies;
  std::string attributes;
  for (const PointArray& array : snapshot.arrays) {
    attributes += attribute(
        array.name, array.width, "Node",
        item(file, "VTKHDF/PointData/" + array.name, n, array.width, array.type, array.precision));
  }
  return block(
      "grains",
      fmt::format(
          "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\">{}"
          "</Topology>",
          n, item(file, "VTKHDF/Connectivity", n, 1, "Int", 8)),
      item(file, "VTKHDF/Points", n, 3, "Float", 8), attributes);
}

std::string wall_block(const std::string& file, const WallSurface& wall) {
  const std::string group = "walls/" + wall.name + "/";
  return block(
      wall.name,
      fmt::format("<Topology TopologyType=\"Triangle\" NumberOfElements=\"{}\">{}</Topology>",
                  wall.triangles, item(file, group + "triangles", wall.triangles, 3, "Int", 4)),
      item(file, group + "points", wall.points, 3, "Float", 8),
      attribute("force", 3, "Cell", item(file, group + "force", wall.triangles, 3, "Float", 8)));
}

}  // namespace

XdmfEntry xdmf_entry(const fs::path& folder, const SnapshotInfo& snapshot) {
  const std::string file = snapshot.path.lexically_relative(folder).string();
  std::string text = fmt::format(
      "    <Grid Name=\"blocks\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
      "      <Time Value=\"{}\"/>\n",
      snapshot.time);
  text += grains_block(file, snapshot);
  for (const WallSurface& wall : snapshot.walls) text += wall_block(file, wall);
  return {snapshot.path, text + "    </Grid>\n"};
}

}  // namespace scree
