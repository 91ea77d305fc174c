#include "scree/io/paraview/contact_file.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "scree/base/parallel.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/hdf5/number_array.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/tables/markup.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr auto kPackedLines = h5::Storage::packed;

/// An array of one number, or of three, a contact.
struct CellArray {
  std::string_view name;
  std::string_view type;  ///< XDMF's word
  int width;
  int precision;
};
constexpr std::array<CellArray, 7> kArrays{{{"force", "Float", 3, 4},
                                            {"id_a", "Int", 1, 8},
                                            {"id_b", "Int", 1, 8},
                                            {"normal_force", "Float", 1, 4},
                                            {"point", "Float", 3, 8},
                                            {"slip", "Float", 1, 4},
                                            {"state", "UChar", 1, 1}}};

template <class T, class Get>
NumberArray array_of(std::string name, std::string unit, const std::vector<ContactLine>& lines,
                     Get&& get) {
  std::vector<T> values;
  for (const ContactLine& line : lines) values.push_back(static_cast<T>(get(line)));
  return {std::move(name), std::move(unit), 1, std::move(values)};
}

template <class T, class Get>
NumberArray vectors_of(std::string name, std::string unit, const std::vector<ContactLine>& lines,
                       Get&& get) {
  std::vector<T> values;
  for (const ContactLine& line : lines) {
    for (const double x : get(line)) values.push_back(static_cast<T>(x));
  }
  return {std::move(name), std::move(unit), 3, std::move(values)};
}

/// In the order of kArrays.
std::vector<NumberArray> cell_data(const std::vector<ContactLine>& lines) {
  using Line = ContactLine;
  return {vectors_of<float>("force", "N", lines, [](const Line& l) { return l.force; }),
          array_of<std::int64_t>("id_a", "1", lines, [](const Line& l) { return l.id_a; }),
          array_of<std::int64_t>("id_b", "1", lines, [](const Line& l) { return l.id_b; }),
          array_of<float>("normal_force", "N", lines, [](const Line& l) { return l.normal_force; }),
          vectors_of<double>("point", "m", lines, [](const Line& l) { return l.point; }),
          array_of<float>("slip", "m/s", lines, [](const Line& l) { return l.slip; }),
          array_of<std::uint8_t>("state", "1", lines, [](const Line& l) { return l.slips; })};
}

std::vector<double> ends_of(const std::vector<ContactLine>& lines) {
  std::vector<double> ends;
  for (const ContactLine& line : lines) {
    for (const Vec3& end : {line.from, line.to}) ends.insert(ends.end(), end.begin(), end.end());
  }
  return ends;
}

/// Numbers from @p first on, @p stride apart.
std::vector<std::int64_t> counting(std::int64_t first, std::int64_t count, std::int64_t stride) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    numbers[static_cast<std::size_t>(i)] = first + i * stride;
  return numbers;
}

/// Points, cells and time of what VTKHDF calls an unstructured grid. Collective.
void write_lines(MPI_Comm comm, hid_t group, const h5::RowLayout& rows,
                 const std::vector<ContactLine>& lines, double time) {
  const auto write = [&]<class T>(const char* name, const h5::RowLayout& layout,
                                  const std::vector<T>& values, int width) {
    together(comm, [&] {
      h5::write_rows(group, name, layout, std::span<const T>(values), width, kPackedLines);
    });
  };
  const h5::RowLayout one = h5::rows_of_first_rank(comm, 1);
  const auto number = [&](std::int64_t n) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(one.local), n);
  };
  write("FieldData/TimeValue", one, std::vector<double>(static_cast<std::size_t>(one.local), time),
        1);
  write("NumberOfPoints", one, number(2 * rows.total), 1);
  write("NumberOfCells", one, number(rows.total), 1);
  write("NumberOfConnectivityIds", one, number(2 * rows.total), 1);
  const h5::RowLayout ends{2 * rows.local, 2 * rows.first, 2 * rows.total};
  write("Points", ends, ends_of(lines), 3);
  write("Connectivity", ends, counting(ends.first, ends.local, 1), 1);
  // The end of the last line is written by the last rank: Offsets has a row more than cells.
  const std::int64_t more = rank_of(comm) == size_of(comm) - 1 ? 1 : 0;
  write("Offsets", {rows.local + more, rows.first, rows.total + 1},
        counting(2 * rows.first, rows.local + more, 2), 1);
  constexpr std::uint8_t kLine = 3;
  write("Types", rows, std::vector<std::uint8_t>(static_cast<std::size_t>(rows.local), kLine), 1);
}

/// An array of contacts. Collective.
void write_cells(MPI_Comm comm, hid_t group, const h5::RowLayout& rows, const NumberArray& array) {
  const std::string name = "CellData/" + array.name;
  together(comm, [&] {
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          h5::write_rows(group, name, rows, std::span<const T>(values), array.width, kPackedLines);
        },
        array.values);
    h5::write_attribute_of(group, name, "unit", array.unit);
  });
}

std::int64_t lines_size_bound(std::int64_t contacts) {
  std::int64_t bytes = 131072 + h5::size_bound(2 * contacts, 3, 8, kPackedLines) +
                       h5::size_bound(2 * contacts, 1, 8, kPackedLines) +
                       h5::size_bound(contacts + 1, 1, 8, kPackedLines) +
                       h5::size_bound(contacts, 1, 1, kPackedLines);
  for (const CellArray& array : kArrays) {
    bytes += h5::size_bound(contacts, array.width, array.precision, kPackedLines);
  }
  return bytes;
}

std::string lines_item(const std::string& file, std::string_view dataset, std::int64_t rows,
                       int width, std::string_view type, int precision) {
  const std::string shape = width > 1 ? fmt::format("{} {}", rows, width) : fmt::to_string(rows);
  return fmt::format(
      R"(<DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}:/VTKHDF/{}</DataItem>)",
      shape, type, precision, escaped(file), dataset);
}

}  // namespace

ContactFileInfo write_contacts(MPI_Comm comm, const fs::path& path,
                               const std::vector<ContactLine>& lines, double time,
                               std::int64_t step) {
  const h5::RowLayout rows = h5::row_layout(comm, static_cast<std::int64_t>(lines.size()));
  const WholeFileSpec spec{.kind = "file of contacts", .bytes = lines_size_bound(rows.total)};
  write_whole_hdf5(comm, path, spec, [&](hid_t file) {
    h5::Group group;
    together(comm, [&] {
      h5::write_attribute(file, "program", "scree");
      h5::write_attribute(file, "kind", "contacts");
      h5::write_attribute(file, "time", time);
      h5::write_attribute(file, "step", step);
      group = h5::create_group(file, "VTKHDF");
      const std::array<std::int64_t, 2> vtkhdf_version{1, 0};
      h5::write_attribute(group.get(), "Version", std::span<const std::int64_t>(vtkhdf_version));
      h5::write_attribute(group.get(), "Type", "UnstructuredGrid");
      h5::create_group(group.get(), "FieldData");
    });
    write_lines(comm, group.get(), rows, lines, time);
    for (const NumberArray& array : cell_data(lines)) write_cells(comm, group.get(), rows, array);
  });
  return {path, time, rows.total};
}

ContactFileInfo read_contact_info(const fs::path& path) {
  return h5::reading(path, [&]() -> ContactFileInfo {
    const h5::File file = h5::open_file(path);
    return {path, h5::read_scalar_attribute<double>(file.get(), "time"),
            h5::read_scalar<std::int64_t>(file.get(), "VTKHDF/NumberOfCells")};
  });
}

XdmfEntry xdmf_entry(const fs::path& folder, const ContactFileInfo& info) {
  const std::string file = info.path.lexically_relative(folder).string();
  const std::int64_t n = info.contacts;
  std::string text = fmt::format(
      "    <Grid Name=\"contacts\" GridType=\"Uniform\">\n      <Time Value=\"{}\"/>\n"
      "      <Topology TopologyType=\"Polyline\" NumberOfElements=\"{}\" NodesPerElement=\"2\">\n"
      "        {}\n      </Topology>\n      <Geometry GeometryType=\"XYZ\">\n        {}\n"
      "      </Geometry>\n",
      info.time, n, lines_item(file, "Connectivity", 2 * n, 1, "Int", 8),
      lines_item(file, "Points", 2 * n, 3, "Float", 8));
  for (const CellArray& array : kArrays) {
    text += fmt::format(
        "      <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Cell\">\n        {}\n"
        "      </Attribute>\n",
        array.name, array.width == 3 ? "Vector" : "Scalar",
        lines_item(file, fmt::format("CellData/{}", array.name), n, array.width, array.type,
                   array.precision));
  }
  return {info.path, text + "    </Grid>\n"};
}

}  // namespace scree
