#pragma once

/// Reads tables of numbers: a header of column names, then rows, separated by commas. Blank lines
/// and lines that begin with # are passed over.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct CsvColumn {
  std::string_view name;
  bool required;
};

struct CsvRow {
  std::int64_t line;               ///< its number in the file, from 1
  std::span<const double> values;  ///< one for each expected column, in order; NaN where absent
};

/// Calls @p visit for each row of @p file, row by row: nothing of the file's size is kept.
/// Not collective. @returns which of @p columns the file has.
/// @throws InputError `file:line: column: what is wrong` for a file that cannot be read, a column
/// that is unknown, missing or there twice, a row of another length, and a value that is no finite
/// number.
std::vector<bool> read_csv(const std::filesystem::path& file, std::span<const CsvColumn> columns,
                           const std::function<void(const CsvRow&)>& visit);

/// The error of a row: `file:line: message`.
[[noreturn]] void refuse_csv_row(const std::filesystem::path& file, std::int64_t line,
                                 const std::string& message);

}  // namespace scree
