#pragma once

/// Arrays made of their rows (io/hdf5/number_rows.hpp) at once, for tests.

#include <vector>

#include "scree/io/hdf5/number_rows.hpp"
#include "scree/io/state/checkpoint.hpp"

namespace scree::test {

inline NumberArray made(const NumberRows& rows) {
  NumberArray array{.name = rows.name, .unit = rows.unit, .width = rows.width, .values = {}};
  std::visit(
      [&]<class T>(const MakeRows<T>& make) {
        std::vector<T> values(static_cast<std::size_t>(rows.rows * rows.width));
        make(0, values);
        array.values = std::move(values);
      },
      rows.make);
  return array;
}

inline std::vector<NumberArray> made(const std::vector<NumberRows>& rows) {
  std::vector<NumberArray> arrays;
  for (const NumberRows& one : rows) arrays.push_back(made(one));
  return arrays;
}

/// The content with all of its rows made, as if it had been written and read.
inline CheckpointContent made(CheckpointContent content) {
  for (const StateRows& rows : content.rows) {
    content.groups.push_back(
        {.name = rows.name, .common = rows.common, .arrays = made(rows.arrays)});
  }
  content.rows.clear();
  return content;
}

}  // namespace scree::test
