#include "scree/io/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/seal.hpp"

namespace scree {
namespace {

/// `double`, `int64`, ... of a dataset.
std::string type_name(hid_t type) {
  const std::size_t bits = 8 * H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return fmt::format("float{}", bits);
    case H5T_INTEGER:
      return fmt::format("{}int{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", bits);
    case H5T_STRING:
      return "text";
    default:
      return "other";
  }
}

/// One line of a dataset, shown as @p path: type, extents, and the unit and names that it has.
std::string dataset_line(hid_t group, const std::string& name, const std::string& path) {
  const h5::Dataset dataset(SCREE_HDF5(H5Dopen2(group, name.c_str(), H5P_DEFAULT)));
  const h5::Type type(SCREE_HDF5(H5Dget_type(dataset.get())));
  std::string line = fmt::format("  {:<34} {:<8} {}", path, type_name(type.get()),
                                 fmt::join(h5::extents(group, name), " x "));
  for (const char* key : {"unit", "components", "names"}) {
    if (!h5::has_attribute(dataset.get(), key)) continue;
    const std::string value = h5::read_text_attribute(dataset.get(), key);
    if (value != "1") line += fmt::format("  {}: {}", key, value);
  }
  return line + '\n';
}

/// All datasets below @p group, depth first; groups may hold themselves, so that the depth has a
/// bound.
void list_datasets(hid_t group, const std::string& prefix, std::string& text) {
  constexpr std::ptrdiff_t kDeepest = 16;
  if (std::ranges::count(prefix, '/') == kDeepest) return;
  for (const std::string& name : h5::children(group)) {
    const std::string path = prefix + name;
    if (h5::is_group(group, name)) {
      list_datasets(h5::open_group(group, name).get(), path + "/", text);
    } else if (h5::is_dataset(group, name)) {
      text += dataset_line(group, name, path);
    }
  }
}

/// The value of an attribute, whatever it is.
std::string attribute_value(hid_t object, const std::string& name) {
  const h5::Attribute attribute(SCREE_HDF5(H5Aopen(object, name.c_str(), H5P_DEFAULT)));
  const h5::Type type(SCREE_HDF5(H5Aget_type(attribute.get())));
  switch (H5Tget_class(type.get())) {
    case H5T_STRING:
      return h5::read_text_attribute(object, name);
    case H5T_INTEGER:
      return fmt::format("{}", fmt::join(h5::read_attribute<std::int64_t>(object, name), " "));
    case H5T_FLOAT:
      return fmt::format("{}", fmt::join(h5::read_attribute<double>(object, name), " "));
    default:
      return "?";
  }
}

/// All attributes but `kind`, which is in the first line.
std::string attribute_lines(hid_t object) {
  std::string text;
  for (const std::string& name : h5::attributes(object)) {
    if (name == "kind") continue;
    const bool is_time = name == "time" || name == "dt";
    text += fmt::format("{}: {}{}\n", name, attribute_value(object, name), is_time ? " s" : "");
  }
  return text;
}

std::string snapshot_text(hid_t file) {
  std::string text = "kind: snapshot (VTKHDF, opens in ParaView)\n";
  text += attribute_lines(file);
  text += fmt::format("grains: {}\n", h5::read_scalar<std::int64_t>(file, "VTKHDF/NumberOfPoints"));
  if (h5::is_dataset(file, "tools/id")) {
    text += fmt::format("walls and tools: {}\n", h5::count(file, "tools/id"));
  }
  text += "arrays of grains (SI units):\n";
  list_datasets(h5::open_group(file, "VTKHDF/PointData").get(), "", text);
  return text;
}

std::string checkpoint_text(const std::filesystem::path& path, hid_t file) {
  const std::string fault = fault_of_seal(MPI_COMM_SELF, path);
  std::string text = "kind: checkpoint\n" + attribute_lines(file);
  text += fmt::format("whole: {}\n", fault.empty() ? "yes" : "no, it " + fault);
  text += attribute_lines(h5::open_group(file, "state").get());
  text += fmt::format("grains: {}\n", h5::count(file, "grains/id"));
  text += fmt::format("walls and tools: {}\n", h5::count(file, "tools/id"));
  text += "arrays (SI units):\n";
  list_datasets(file, "", text);
  return text;
}

std::string fclib_text(hid_t file, const std::string& kind) {
  const h5::Group problem = h5::open_group(file, kind);
  std::string text = kind == "lcp" ? "kind: linear complementarity problem (lcp)\n"
                                   : fmt::format("kind: FCLIB problem ({})\n", kind);
  if (h5::is_dataset(problem.get(), "spacedim")) {
    text += fmt::format("rows a contact: {}\n",
                        h5::read_scalar<std::int64_t>(problem.get(), "spacedim"));
  }
  for (const char* name : {"vectors/mu", "mu"}) {
    if (!h5::is_dataset(problem.get(), name)) continue;
    text += fmt::format("contacts: {}\n", h5::count(problem.get(), name));
    break;
  }
  for (const char* matrix : {"A", "W", "M", "H", "G", "V", "R"}) {
    const std::string name = matrix;
    if (!h5::is_dataset(problem.get(), name + "/m")) continue;
    const h5::Group group = h5::open_group(problem.get(), name);
    text += fmt::format("matrix {}: {} x {}, nzmax {}\n", name,
                        h5::read_scalar<std::int64_t>(group.get(), "m"),
                        h5::read_scalar<std::int64_t>(group.get(), "n"),
                        h5::read_scalar<std::int64_t>(group.get(), "nzmax"));
  }
  text += fmt::format("solution: {}\n", h5::is_group(file, "solution") ? "yes" : "no");
  text += "datasets:\n";
  list_datasets(file, "", text);
  return text;
}

}  // namespace

namespace {

std::string text_of(const std::filesystem::path& path) {
  const h5::File file = h5::open_file(path);
  for (const char* kind :
       {"fclib_local", "fclib_global", "fclib_local_rolling", "fclib_global_rolling", "lcp"}) {
    if (h5::is_group(file.get(), kind)) return fclib_text(file.get(), kind);
  }
  if (h5::is_group(file.get(), "VTKHDF/PointData") && h5::has_attribute(file.get(), "program")) {
    return snapshot_text(file.get());
  }
  if (h5::is_group(file.get(), "state")) return checkpoint_text(path, file.get());
  std::string text = h5::is_group(file.get(), "VTKHDF/CellData")
                         ? "kind: fields, a mean over time\n"
                         : "kind: HDF5 file, no snapshot, checkpoint, FCLIB problem or LCP\n";
  text += attribute_lines(file.get()) + "datasets:\n";
  list_datasets(file.get(), "", text);
  return text;
}

}  // namespace

std::string describe_hdf5(const std::filesystem::path& path) {
  return h5::reading(path, [&] { return text_of(path); });
}

}  // namespace scree
