#pragma once

/// The store's fields as arrays of plain numbers, for files: one small adapter a type of field.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/bodies/store.hpp"

namespace scree {

/// Rows of plain numbers: `width` a slot.
struct NumberArray {
  std::string name;
  std::string unit;
  int width = 1;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int32_t>,
               std::vector<std::uint8_t>>
      values;
};

/// The saved fields of the slots [begin, end), in the order of the store's table. Not collective.
std::vector<NumberArray> number_arrays(const Store& store, std::int32_t begin, std::int32_t end);

/// The words of the types of shapes, by the index that the array `shape` holds.
std::vector<std::string> shape_names();

}  // namespace scree
