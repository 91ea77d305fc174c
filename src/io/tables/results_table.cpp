#include "scree/io/tables/results_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "scree/base/check.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/tables/csv.hpp"
#include "scree/io/version.hpp"

namespace scree {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

bool spans_lines(const ResultsColumn& column) {
  const Texts* texts = std::get_if<Texts>(&column.values);
  return texts != nullptr && std::ranges::any_of(*texts, [](const std::string& t) {
           return t.find('\n') != std::string::npos;
         });
}

std::string cell(const ResultsColumn& column, std::size_t row) {
  return std::visit([row](const auto& values) { return csv_text(values[row]); }, column.values);
}

std::string place_of(const ResultsColumn& column) {
  return column.group + "/" + column.name;
}

ResultsColumn read_column(hid_t file, const std::string& place) {
  const std::size_t slash = place.find('/');
  if (slash == std::string::npos)
    throw InputError(fmt::format("\"{}\" is no column of a group", place));
  ResultsColumn column{
      .group = place.substr(0, slash), .name = place.substr(slash + 1), .unit = {}, .values = {}};
  column.unit = h5::read_text_attribute_of(file, place, "unit");
  if (h5::holds_texts(file, place)) {
    column.values = h5::read_texts(file, place);
  } else {
    column.values = h5::read<double>(file, place);
  }
  return column;
}

}  // namespace

std::size_t ResultsTable::rows() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

void write_results_csv(const std::filesystem::path& path, const ResultsTable& table) {
  std::string text;
  const auto add_line = [&](auto&& cell_of) {
    std::vector<std::string> cells;
    for (const ResultsColumn& column : table.columns) {
      if (!spans_lines(column)) cells.push_back(cell_of(column));
    }
    text += fmt::format("{}\n", fmt::join(cells, ","));
  };
  add_line([](const ResultsColumn& column) { return csv_text(std::string_view(column.name)); });
  for (std::size_t row = 0; row < table.rows(); ++row) {
    add_line([row](const ResultsColumn& column) { return cell(column, row); });
  }
  write_whole(path, text);
}

void write_results_hdf5(const std::filesystem::path& path, const ResultsTable& table) {
  const h5::File file = h5::create_in_memory();
  std::string order;
  for (const ResultsColumn& column : table.columns) order += place_of(column) + "\n";
  h5::write_attribute(file.get(), "program", "scree");
  h5::write_attribute(file.get(), "version", std::string(version()));
  h5::write_attribute(file.get(), "git_hash", std::string(git_hash()));
  h5::write_text(file.get(), "columns", order);
  h5::write_text(file.get(), "configuration", table.configuration);
  for (const ResultsColumn& column : table.columns) {
    const std::string place = place_of(column);
    if (const Texts* texts = std::get_if<Texts>(&column.values)) {
      h5::write_texts(file.get(), place, *texts);
    } else {
      h5::write(file.get(), place, std::get<Numbers>(column.values));
    }
    h5::write_attribute_of(file.get(), place, "unit", column.unit);
  }
  write_whole(path, h5::image(file));
}

namespace {

ResultsTable table_of(const std::filesystem::path& path) {
  const h5::File file = h5::open_file(path);
  ResultsTable table;
  table.configuration = h5::read_text(file.get(), "configuration");
  std::istringstream places(h5::read_text(file.get(), "columns"));
  for (std::string place; std::getline(places, place);)
    table.columns.push_back(read_column(file.get(), place));
  const std::size_t rows = table.rows();
  for (const ResultsColumn& column : table.columns) {
    const std::size_t own =
        std::visit([](const auto& values) { return values.size(); }, column.values);
    if (own != rows)
      throw InputError(fmt::format("{}: {}: {} rows, where others have {}", path.string(),
                                   place_of(column), own, rows));
  }
  return table;
}

}  // namespace

ResultsTable read_results(const std::filesystem::path& path) {
  return h5::reading(path, [&] { return table_of(path); });
}

}  // namespace scree
