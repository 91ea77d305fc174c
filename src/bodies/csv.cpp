#include "scree/bodies/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/config/suggest.hpp"

namespace scree {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

/// One pass over a file.
class Reader {
 public:
  Reader(const std::filesystem::path& file, std::span<const CsvColumn> columns)
      : file_(file), columns_(columns), stream_(file) {
    if (!stream_) throw InputError(fmt::format("{}: cannot be read", file.string()));
  }

  std::vector<bool> read(const std::function<void(const CsvRow&)>& visit) {
    if (!next_line()) refuse_csv_row(file_, line_, "the header with the columns' names is missing");
    read_header();
    std::vector<double> values(columns_.size(), std::numeric_limits<double>::quiet_NaN());
    while (next_line()) {
      split(trimmed(text_), cells_);
      if (cells_.size() != target_.size()) {
        refuse_csv_row(
            file_, line_,
            fmt::format("{} values; the header names {} columns", cells_.size(), target_.size()));
      }
      for (std::size_t k = 0; k < cells_.size(); ++k) values[target_[k]] = number(k);
      visit({line_, values});
    }
    if (stream_.bad()) throw Failure(fmt::format("{}: reading failed", file_.string()));
    std::vector<bool> present(columns_.size(), false);
    for (const std::size_t column : target_) present[column] = true;
    return present;
  }

 private:
  /// The next line that says something.
  bool next_line() {
    while (std::getline(stream_, text_)) {
      ++line_;
      if (line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
      const std::string_view line = trimmed(text_);
      if (!line.empty() && line.front() != '#') return true;
    }
    return false;
  }

  void read_header() {
    std::vector<std::string_view> known;
    for (const CsvColumn& column : columns_) known.push_back(column.name);
    split(trimmed(text_), cells_);
    for (const std::string_view cell : cells_) {
      const auto found = std::find(known.begin(), known.end(), cell);
      if (found == known.end()) {
        refuse_csv_row(
            file_, line_,
            fmt::format("unknown column \"{}\"; {}", cell, suggestion_and_list(cell, known)));
      }
      const auto column = static_cast<std::size_t>(found - known.begin());
      if (std::find(target_.begin(), target_.end(), column) != target_.end()) {
        refuse_csv_row(file_, line_, fmt::format("column \"{}\" is there twice", cell));
      }
      target_.push_back(column);
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_[column].required &&
          std::find(target_.begin(), target_.end(), column) == target_.end()) {
        refuse_csv_row(file_, line_,
                       fmt::format("column \"{}\" is missing", columns_[column].name));
      }
    }
  }

  double number(std::size_t k) const {
    std::string_view cell = cells_[k];
    if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) {
      refuse_csv_row(
          file_, line_,
          fmt::format("{}: \"{}\" is not a finite number", columns_[target_[k]].name, cells_[k]));
    }
    return value;
  }

  const std::filesystem::path& file_;
  std::span<const CsvColumn> columns_;
  std::ifstream stream_;
  std::string text_;
  std::int64_t line_ = 0;
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> target_;  ///< of each of the file's columns, its place in columns_
};

}  // namespace

std::vector<bool> read_csv(const std::filesystem::path& file, std::span<const CsvColumn> columns,
                           const std::function<void(const CsvRow&)>& visit) {
  return Reader(file, columns).read(visit);
}

void refuse_csv_row(const std::filesystem::path& file, std::int64_t line,
                    const std::string& message) {
  throw InputError(fmt::format("{}:{}: {}", file.string(), line, message));
}

}  // namespace scree
