#pragma once

/// Reads a CSV file of texts and numbers whole, as a run's tables are read for its report.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct CsvTable {
  std::filesystem::path path;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `names`
  std::vector<std::int64_t> lines;             ///< of each row, in the file, from 1

  /// The values of a column, as they stand. @throws InputError when there is none of that name.
  std::vector<std::string> texts(std::string_view name) const;
  /// The column @p name as numbers. @throws InputError naming the line of a value that is none.
  std::vector<double> numbers(std::string_view name) const;
};

/// Not collective. A last line without its end, as of a run that is being written, is left out.
/// @throws InputError `file:line: what is wrong`.
CsvTable read_csv_table(const std::filesystem::path& path);

}  // namespace scree
