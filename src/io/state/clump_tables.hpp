#pragma once

/// The clumps of a shape library as tables of plain numbers, beside those of its hulls
/// (hull_tables.hpp): in checkpoints, and in snapshots, where viewers take their parts from them.
/// All lengths are those of scale 1, in the body's frame.
///
///     /clumps            a row a clump, by its handle: volume, inertia_per_mass, and where its frame is
///                        in that of the configuration: file_position, file_orientation (w, x, y, z)
///     /clump_parts       a row a part: clump, position, orientation, and what tells its shape: shape,
///                        semi_axes, hull and scale as of grains, and parameters, which are its number
///                        in the list of shapes and the numbers of its struct

#include <array>
#include <vector>

#include "scree/io/state/state_group.hpp"

namespace scree {

class ShapeLibrary;

/// Not collective; the same on every rank. None for a library without clumps.
std::vector<StateGroup> clump_tables(const ShapeLibrary& shapes);

/// Adds the clumps of @p tables, which may be among others, to @p shapes, which holds the hulls of
/// the same file under their handles. Not collective.
/// @throws InputError when they are of another kind.
void add_clumps(const std::vector<StateGroup>& tables, ShapeLibrary& shapes);

inline constexpr std::array kClumpTables = {"clumps", "clump_parts"};

}  // namespace scree
