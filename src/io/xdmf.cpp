#include "scree/io/xdmf.hpp"

#include <fmt/format.h>

#include "scree/io/markup.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A reference to a dataset of @p file.
std::string item(const std::string& file, const std::string& dataset, std::int64_t rows, int width,
                 std::string_view type, int precision) {
  const std::string shape = width > 1 ? fmt::format("{} {}", rows, width) : fmt::to_string(rows);
  return fmt::format(
      R"(<DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}:/VTKHDF/{}</DataItem>)",
      shape, type, precision, escaped(file), dataset);
}

std::string_view attribute_type(int width) {
  return width == 3 ? "Vector" : "Scalar";
}

std::string grid(const fs::path& folder, const SnapshotInfo& snapshot) {
  const std::string file = fs::relative(snapshot.path, folder).string();
  const std::int64_t n = snapshot.bodies;
  std::string text = fmt::format(
      "    <Grid Name=\"grains\" GridType=\"Uniform\">\n"
      "      <Time Value=\"{}\"/>\n",
      snapshot.time);
  text += fmt::format(
      "      <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" "
      "NodesPerElement=\"1\">\n        {}\n      </Topology>\n",
      n, item(file, "Connectivity", n, 1, "Int", 8));
  text += fmt::format("      <Geometry GeometryType=\"XYZ\">\n        {}\n      </Geometry>\n",
                      item(file, "Points", n, 3, "Float", 8));
  for (const PointArray& array : snapshot.arrays) {
    text += fmt::format(
        "      <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">\n        {}\n"
        "      </Attribute>\n",
        array.name, array.width == 4 ? "Matrix" : attribute_type(array.width),
        item(file, "PointData/" + array.name, n, array.width, array.type, array.precision));
  }
  return text + "    </Grid>\n";
}

}  // namespace

std::string xdmf_text(const fs::path& folder, const std::vector<SnapshotInfo>& snapshots) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n"
      "  <Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const SnapshotInfo& snapshot : snapshots) text += grid(folder, snapshot);
  return text + "  </Grid>\n </Domain>\n</Xdmf>\n";
}

void XdmfIndex::add(const SnapshotInfo& snapshot) {
  std::erase_if(snapshots_, [&](const SnapshotInfo& known) {
    return known.path == snapshot.path || !fs::exists(known.path);
  });
  snapshots_.push_back(snapshot);
  write();
}

void XdmfIndex::write() const {
  write_whole(path_, xdmf_text(path_.parent_path(), snapshots_));
}

}  // namespace scree
