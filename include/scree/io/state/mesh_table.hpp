#pragma once

/// The meshes of a shape library as a checkpoint names them, to know them again: their triangles
/// stay in their files.
///
///     /meshes            a row a mesh, by its handle: how many triangles and a checksum of their
///                        corners, and area_and_place, which is the
///                        area (m^2) and where its frame is in that of its file: position (m), orientation
///                        (w, x, y, z)

#include <optional>
#include <vector>

#include "scree/io/state/state_group.hpp"

namespace scree {

class ShapeLibrary;

/// Not collective; the same on every rank. None for a library without meshes.
std::optional<StateGroup> mesh_table(const ShapeLibrary& shapes);

/// The handle of the first of the library's meshes that is not the one of that handle in @p tables
/// to rounding, which may hold others, too; -1 where all are. Not collective.
std::int32_t other_mesh(const ShapeLibrary& shapes, const std::vector<StateGroup>& tables);

}  // namespace scree
