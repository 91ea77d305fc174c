#pragma once

/// The store's fields as arrays of plain numbers that ParaView and people can use: one small
/// adapter a type of field. (Those that give the store back bit for bit are in
/// io/state/store_arrays.hpp.)

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/io/hdf5/number_rows.hpp"

namespace scree {

/// The saved fields of the slots [begin, end) of @p store, which must live as long, in the order of
/// its table, but for `wraps` (see unwrapped_rows). Not collective.
std::vector<NumberRows> field_rows(const Store& store, std::int32_t begin, std::int32_t end);

/// Where the owned grains would be if the periodic @p cell did not repeat.
NumberRows unwrapped_rows(const Store& store, const PeriodicCell& cell);

/// The radii of tools' round holes (geometry/shapes/round_hole.hpp) at the low and high end, and
/// where these are on its axis, m; zeros for other shapes.
NumberRows hole_rows(std::span<const Shape> shapes);

/// The shape of a grain from its word and what snapshots have of it; none where these do not tell
/// it, or cannot be.
std::optional<Shape> shape_of(std::string_view type, const Vec3& semi_axes, double radius);

/// The words of the types of shapes, by the index that the array `shape` holds.
std::vector<std::string> shape_names();

}  // namespace scree
