#include "scree/io/paraview/wear_file.hpp"

#include <fmt/format.h>

#include <iterator>
#include <span>

#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/tables/markup.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSlidingWork = "sliding_work";

/// An array of the triangles.
struct WearArray {
  const char* name;
  const char* unit;
  int width;
  std::vector<double> WearMap::*values;
};
constexpr std::array<WearArray, 4> kWearArrays{
    {{"force", "N", 3, &WearMap::force},
     {"pressure", "Pa", 1, &WearMap::pressure},
     {"sliding_power", "W/m^2", 1, &WearMap::sliding_power},
     {kSlidingWork, "J/m^2", 1, &WearMap::sliding_work}}};

std::vector<double> numbers_of_points(const std::vector<Vec3>& points) {
  std::vector<double> numbers;
  for (const Vec3& p : points) numbers.insert(numbers.end(), p.begin(), p.end());
  return numbers;
}

/// Points, cells and time of what VTKHDF calls an unstructured grid.
void write_triangles(hid_t group, const WearMap& map) {
  const std::array<std::int64_t, 2> vtkhdf_version{1, 0};
  h5::write_attribute(group, "Version", std::span<const std::int64_t>(vtkhdf_version));
  h5::write_attribute(group, "Type", "UnstructuredGrid");
  const auto n_points = static_cast<std::int64_t>(map.points.size());
  const auto n_triangles = static_cast<std::int64_t>(map.triangles.size());
  h5::create_group(group, "FieldData");
  h5::write(group, "FieldData/TimeValue", std::vector{map.time});
  h5::write(group, "NumberOfPoints", std::vector{n_points});
  h5::write(group, "NumberOfCells", std::vector{n_triangles});
  h5::write(group, "NumberOfConnectivityIds", std::vector{3 * n_triangles});
  h5::write(group, "Points", numbers_of_points(map.points), 3);
  std::vector<std::int64_t> corners;
  std::vector<std::int64_t> ends{0};
  for (const auto& triangle : map.triangles) {
    corners.insert(corners.end(), triangle.begin(), triangle.end());
    ends.push_back(static_cast<std::int64_t>(corners.size()));
  }
  h5::write(group, "Connectivity", corners);
  h5::write(group, "Offsets", ends);
  constexpr std::uint8_t kTriangle = 5;
  h5::write(group, "Types", std::vector<std::uint8_t>(map.triangles.size(), kTriangle));
}

std::string wear_item(const std::string& file, std::string_view dataset, std::int64_t rows,
                      int width, std::string_view type) {
  const std::string shape = width > 1 ? fmt::format("{} {}", rows, width) : fmt::to_string(rows);
  return fmt::format(
      R"(<DataItem Dimensions="{}" NumberType="{}" Precision="8" Format="HDF">{}:/VTKHDF/{}</DataItem>)",
      shape, type, escaped(file), dataset);
}

}  // namespace

WearFileInfo write_wear(const fs::path& path, const WearMap& map) {
  const h5::File memory = h5::create_in_memory();
  const hid_t file = memory.get();
  h5::write_attribute(file, "program", "scree");
  h5::write_attribute(file, "kind", "wear");
  h5::write_attribute(file, "from", map.from);
  h5::write_attribute(file, "time", map.time);
  h5::write_attribute(file, "step", map.step);
  h5::write_attribute(file, "seconds", map.seconds);
  const h5::Group group = h5::create_group(file, "VTKHDF");
  write_triangles(group.get(), map);
  for (const WearArray& array : kWearArrays) {
    const std::string name = fmt::format("CellData/{}", array.name);
    h5::write(group.get(), name, map.*array.values, array.width);
    h5::write_attribute_of(group.get(), name, "unit", std::string(array.unit));
  }
  write_whole(path, h5::image(memory));
  return {path, map.time, static_cast<std::int64_t>(map.points.size()),
          static_cast<std::int64_t>(map.triangles.size())};
}

WearFileInfo read_wear_info(const fs::path& path) {
  return h5::reading(path, [&]() -> WearFileInfo {
    const h5::File file = h5::open_file(path);
    return {path, h5::read_scalar_attribute<double>(file.get(), "time"),
            h5::read_scalar<std::int64_t>(file.get(), "VTKHDF/NumberOfPoints"),
            h5::read_scalar<std::int64_t>(file.get(), "VTKHDF/NumberOfCells")};
  });
}

std::vector<double> read_sliding_work(const fs::path& path) {
  return h5::reading(path, [&] {
    const h5::File file = h5::open_file(path);
    const auto n = h5::read_scalar<std::int64_t>(file.get(), "VTKHDF/NumberOfCells");
    const std::string name = fmt::format("VTKHDF/CellData/{}", kSlidingWork);
    std::vector<double> work = h5::read<double>(file.get(), name);
    if (std::ssize(work) != n) {
      h5::refuse_damaged(path, fmt::format("{} is of another length", kSlidingWork));
    }
    return work;
  });
}

XdmfEntry xdmf_entry(const fs::path& folder, const WearFileInfo& info) {
  const std::string file = info.path.lexically_relative(folder).string();
  const std::int64_t n = info.triangles;
  std::string text = fmt::format(
      "    <Grid Name=\"wear\" GridType=\"Uniform\">\n      <Time Value=\"{}\"/>\n"
      "      <Topology TopologyType=\"Triangle\" NumberOfElements=\"{}\">\n        {}\n"
      "      </Topology>\n      <Geometry GeometryType=\"XYZ\">\n        {}\n      </Geometry>\n",
      info.time, n, wear_item(file, "Connectivity", 3 * n, 1, "Int"),
      wear_item(file, "Points", info.points, 3, "Float"));
  for (const WearArray& array : kWearArrays) {
    text += fmt::format(
        "      <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Cell\">\n        {}\n"
        "      </Attribute>\n",
        array.name, array.width == 3 ? "Vector" : "Scalar",
        wear_item(file, fmt::format("CellData/{}", array.name), n, array.width, "Float"));
  }
  return {info.path, text + "    </Grid>\n"};
}

}  // namespace scree
