#include "scree/config/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "csv_lines.hpp"
#include "quoted.hpp"
#include "scree/base/check.hpp"
#include "scree/config/suggest.hpp"

namespace scree {
namespace {

/// One pass over a file.
class Reader {
 public:
  Reader(const std::filesystem::path& file, std::span<const CsvColumn> columns)
      : file_(file), columns_(columns), lines_(file) {}

  std::vector<bool> read(const std::function<void(const CsvRow&)>& visit) {
    if (!lines_.next()) refuse("the header with the columns' names is missing");
    read_header();
    std::vector<double> values(columns_.size(), std::numeric_limits<double>::quiet_NaN());
    while (lines_.next()) {
      const std::size_t count = lines_.cells().size();
      if (count != target_.size()) {
        refuse(fmt::format("{} values; the header names {} columns", count, target_.size()));
      }
      for (std::size_t k = 0; k < count; ++k) values[target_[k]] = number(k);
      visit({lines_.number(), values});
    }
    std::vector<bool> present(columns_.size(), false);
    for (const std::size_t column : target_) present[column] = true;
    return present;
  }

 private:
  void read_header() {
    std::vector<std::string_view> known;
    for (const CsvColumn& column : columns_) known.push_back(column.name);
    for (const std::string& cell : lines_.cells()) {
      const auto found = std::find(known.begin(), known.end(), cell);
      if (found == known.end()) {
        refuse(fmt::format("unknown column \"{}\"; {}", cell, suggestion_and_list(cell, known)));
      }
      const std::size_t column = found - known.begin();
      if (is_there(column)) refuse(fmt::format("column \"{}\" is there twice", cell));
      target_.push_back(column);
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_[column].required && !is_there(column)) {
        refuse(fmt::format("column \"{}\" is missing", columns_[column].name));
      }
    }
  }

  bool is_there(std::size_t column) const {
    return std::find(target_.begin(), target_.end(), column) != target_.end();
  }

  double number(std::size_t k) const {
    std::string_view cell = lines_.cells()[k];
    if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
      refuse(fmt::format("{}: \"{}\" is not a finite number", columns_[target_[k]].name,
                         lines_.cells()[k]));
    }
    return value;
  }

  [[noreturn]] void refuse(const std::string& message) const {
    refuse_csv_row(file_, std::max<std::int64_t>(lines_.number(), 1), message);
  }

  const std::filesystem::path& file_;
  std::span<const CsvColumn> columns_;
  CsvLines lines_;
  std::vector<std::size_t> target_;  ///< place in columns_ of each of the file's columns
};

}  // namespace

std::vector<bool> read_csv(const std::filesystem::path& file, std::span<const CsvColumn> columns,
                           const std::function<void(const CsvRow&)>& visit) {
  return Reader(file, columns).read(visit);
}

void refuse_csv_row(const std::filesystem::path& file, std::int64_t line,
                    const std::string& message) {
  throw InputError(config::printable(fmt::format("{}:{}: {}", file.string(), line, message)));
}

}  // namespace scree
