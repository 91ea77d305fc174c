#pragma once

/// Reads a CSV file of texts and numbers whole, as a run's tables are read for its report.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct CsvTable {
  std::filesystem::path path;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `names`
  std::vector<std::int64_t> lines;  ///< number of the line of each row in the file, from 1

  /// The values of a column, as they stand. @throws InputError when there is none of that name.
  std::vector<std::string> texts(std::string_view name) const;
  /// The column @p name as numbers. @throws InputError naming the line of a value that is none.
  std::vector<double> numbers(std::string_view name) const;
};

/// Not collective. A last line without its end, as of a run that is being written, is left out.
/// @throws InputError `file:line: what is wrong`.
CsvTable read_csv_table(const std::filesystem::path& path);
/// Reads a CSV file with its last line, whether that has its end or not: a file that someone has
/// written.
CsvTable read_whole_csv_table(const std::filesystem::path& path);

/// Cells of a row, of the columns that were asked for.
class CsvCells {
 public:
  CsvCells(const std::filesystem::path& file, std::int64_t line, std::span<const std::string> names)
      : file_(file), line_(line), names_(names) {}
  const std::string& text(std::size_t k) const { return *cells[k]; }
  /// @throws InputError `file:line: ...` for a cell that is no number.
  double number(std::size_t k) const;

  std::vector<const std::string*> cells = {};

 private:
  const std::filesystem::path& file_;
  std::int64_t line_;
  std::span<const std::string> names_;
};

/// Calls @p visit for each row, so that nothing of the file's size is kept; else as read_csv_table.
/// @throws InputError when a column is not there, too.
void visit_csv_table(const std::filesystem::path& path, std::span<const std::string> columns,
                     const std::function<void(const CsvCells&)>& visit);

}  // namespace scree
