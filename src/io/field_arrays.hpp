#pragma once

/// The store's fields as arrays of plain numbers that ParaView and people can use: one small adapter
/// a type of field. (Those that give the store back bit for bit are in io/store_arrays.hpp.)

#include <cstdint>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/io/number_array.hpp"

namespace scree {

/// The saved fields of the slots [begin, end), in the order of the store's table. Not collective.
std::vector<NumberArray> number_arrays(const Store& store, std::int32_t begin, std::int32_t end);

/// The words of the types of shapes, by the index that the array `shape` holds.
std::vector<std::string> shape_names();

}  // namespace scree
