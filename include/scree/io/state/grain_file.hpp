#pragma once

/// Grains from HDF5 files: scree's own snapshots, and files of other programs.
///
///     position           N x 3, m; in a snapshot VTKHDF/Points
///     radius             N, m; this and what follows in a snapshot under VTKHDF/PointData/
///     id                 N, int64; without it the number of the row, from 0
///     velocity           N x 3, m/s; without it that of the group
///     angular_velocity   N x 3, rad/s, world frame; without it that of the group
///     orientation        N x 4: w, x, y, z; without it none
///     group              N, int32, with the names as the attribute `names` (a,b,c): asked for when
///                        only one population is wanted
///     shape              N, int32, with the names of shapes; with semi_axes (N x 3, m) it tells of grains that
///                        are no balls, with hull (N, int32), scale (N) and io/state/shape_tables.hpp of polyhedra
///
/// All but id, group, shape and hull are of type double, or in single precision. What a snapshot
/// holds comes back bit for bit; by default that is in single precision, but for positions.

#include <mpi.h>

#include <vector>

#include "scree/sources/groups.hpp"

namespace scree {

/// Fills in the groups that are placed by HDF5 files: each rank gets a share of the rows, and @p
/// shapes the polyhedra of the files. Collective.
/// @throws InputError, on all ranks, for a file that is none, lacks a dataset, or holds a radius,
/// position, shape or id that cannot be.
void load_grain_files(MPI_Comm comm, std::vector<BodyGroup>& groups, ShapeLibrary& shapes);

}  // namespace scree
