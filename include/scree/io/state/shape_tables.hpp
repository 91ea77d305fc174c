#pragma once

/// A shape library as tables of plain numbers, and back: the hulls of polyhedra (hull_tables.hpp)
/// and clumps (clump_tables.hpp), in checkpoints and snapshots. Meshes stay in their files
/// (mesh_table.hpp).

#include <vector>

#include "scree/io/state/state_group.hpp"

namespace scree {

class ShapeLibrary;

/// Not collective; the same on every rank.
std::vector<StateGroup> shape_tables(const ShapeLibrary& shapes);

/// Reads the tables of a snapshot or checkpoint; none where the library was empty. Collective.
std::vector<StateGroup> read_shape_tables(MPI_Comm comm, hid_t file);

/// The library of @p tables, which may be among others; empty where they are not there. Not
/// collective.
/// @throws InputError when they are of another kind, or a hull or clump is none.
ShapeLibrary library_of(const std::vector<StateGroup>& tables);

}  // namespace scree
