#pragma once

/// Columns of tables of records: one description of each drives the header, the rows and the
/// reference of columns.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Whether @p status, of a step's record or row, is that of a solve that converged.
bool is_converged(std::string_view status);

/// A column of a table of records.
template <class Record>
struct Column {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
  std::function<std::string(const Record&)> text;
};

/// The description of a column, and of a table.
struct ColumnHelp {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
};
struct TableHelp {
  std::string_view file;  ///< its name in the folder of a run
  std::string_view kind;  ///< as `scree info` names it
  std::vector<ColumnHelp> columns;
};

template <class Record>
TableHelp table_help(std::string_view file, std::string_view kind,
                     std::span<const Column<Record>> columns) {
  TableHelp table{file, kind, {}};
  for (const Column<Record>& one : columns) {
    table.columns.push_back({one.name, one.unit, one.help});
  }
  return table;
}

/// The reference of the tables' columns, as Markdown.
std::string column_reference(std::span<const TableHelp> tables);

}  // namespace scree
