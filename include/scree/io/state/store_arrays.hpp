#pragma once

/// The store's saved fields as arrays of plain numbers, and back, bit for bit: for checkpoints.
///
/// Which fields: those that the store's table marks as saved. How: a field of numbers is its
/// numbers; vectors, quaternions (x, y, z, w, as Eigen keeps them) and boxes are rows; a shape is a
/// row of its index in the list of shapes and its parameters, padded with zeros. A field of any
/// other type does not compile until Flat<> in src/io/state/store_arrays.cpp says how it is
/// written.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/io/hdf5/number_array.hpp"
#include "scree/io/hdf5/number_rows.hpp"

namespace scree {

/// The arrays of the slots [@p begin, @p end) of @p store, which must live as long, in the order of
/// its table. Not collective.
std::vector<NumberRows> store_rows(const Store& store, std::int32_t begin, std::int32_t end);

/// Appends slots filled from @p arrays behind the last one; the caller counts them as tools or
/// grains. Fields that are not saved get their default. Not collective. Returns how many.
/// @throws InputError naming the array that is missing, of other type or width, or of other length.
std::int32_t append_arrays(Store& store, std::span<const NumberArray> arrays);

}  // namespace scree
