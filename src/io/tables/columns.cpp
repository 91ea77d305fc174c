#include "scree/io/tables/columns.hpp"

#include <fmt/format.h>

#include "scree/solver/solver.hpp"

namespace scree {

bool is_converged(std::string_view status) {
  return status == to_string(Status::converged);
}

std::string column_reference(std::span<const TableHelp> tables) {
  std::string text;
  for (const TableHelp& table : tables) {
    if (!text.empty()) text += '\n';
    text += fmt::format("| {} | unit | meaning |\n| --- | --- | --- |\n", table.file);
    for (const ColumnHelp& column : table.columns) {
      text += fmt::format("| `{}` | {} | {} |\n", column.name, column.unit,
                          column.help.empty() ? "as above" : column.help);
    }
  }
  return text;
}

}  // namespace scree
