#include "scree/io/state/shape_tables.hpp"

#include "clump_tables.hpp"
#include "hull_tables.hpp"
#include "scree/geometry/hulls/shape_library.hpp"

namespace scree {

std::vector<StateGroup> shape_tables(const ShapeLibrary& shapes) {
  std::vector<StateGroup> tables = hull_tables(shapes);
  for (StateGroup& table : clump_tables(shapes)) tables.push_back(std::move(table));
  return tables;
}

std::vector<StateGroup> read_shape_tables(MPI_Comm comm, hid_t file) {
  std::vector<StateGroup> tables;
  const auto read = [&](const char* name) {
    if (h5::is_group(file, name)) tables.push_back(read_group(comm, file, name));
  };
  for (const char* name : kHullTables) read(name);
  for (const char* name : kClumpTables) read(name);
  return tables;
}

ShapeLibrary library_of(const std::vector<StateGroup>& tables) {
  ShapeLibrary shapes;
  add_hulls(tables, shapes);
  add_clumps(tables, shapes);
  return shapes;
}

}  // namespace scree
