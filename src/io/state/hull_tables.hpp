#pragma once

/// The hulls of a shape library as tables of plain numbers, and back bit for bit: in checkpoints,
/// and in snapshots, where viewers take the faces of polyhedra from them. All lengths are those of
/// scale 1, in the body's frame.
///
///     /hulls             a row a hull, by its handle: volume, inertia_per_mass, and where its frame is in
///                        that of the mesh file: file_position, file_orientation (w, x, y, z)
///     /hull_vertices     a row a vertex: hull, position
///     /hull_corners      a row a corner of a face, faces one after another, each counter-clockwise seen
///                        from outside: hull, face (counted in its hull), vertex (counted in its hull)

#include <array>
#include <vector>

#include "scree/io/state/state_group.hpp"

namespace scree {

class ShapeLibrary;

/// Not collective; the same on every rank.
std::vector<StateGroup> hull_tables(const ShapeLibrary& shapes);

/// Adds the hulls of @p tables, which may be among others, to the empty library @p shapes. Not
/// collective.
/// @throws InputError when they are of another kind, or a hull is none.
void add_hulls(const std::vector<StateGroup>& tables, ShapeLibrary& shapes);

inline constexpr std::array kHullTables = {"hulls", "hull_vertices", "hull_corners"};

}  // namespace scree
