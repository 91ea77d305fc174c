#include "scree/app/commands/info_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "app/run/observer_list.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/describe.hpp"
#include "scree/io/tables/columns.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string table_text(const fs::path& path, const TableHelp& table) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("{}: no such file, or it cannot be read", path.string()));
  std::int64_t rows = -1;  // but for the header
  for (std::string line; std::getline(file, line);) ++rows;
  std::string text =
      fmt::format("kind: {}\nrows: {}\ncolumns:\n", table.kind, std::max<std::int64_t>(0, rows));
  for (const ColumnHelp& column : table.columns) {
    text += fmt::format("  {:<18} {:<4} {}\n", column.name, column.unit, column.help);
  }
  return text;
}

}  // namespace

std::string describe_file(const fs::path& path) {
  const std::string name = path.filename().string();
  for (const TableHelp& table : tables_of_runs()) {
    if (name == table.file) return table_text(path, table);
  }
  return describe_hdf5(path);
}

int info_command(MPI_Comm comm, const fs::path& path) {
  std::string problem;
  if (rank_of(comm) == 0) {
    try {
      fmt::print("{}\n{}", path.string(), describe_file(path));
    } catch (const InputError& error) {
      problem = error.what();
    }
  }
  refuse_together(comm, problem);
  return 0;
}

}  // namespace scree
