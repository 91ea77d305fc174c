#pragma once

/// Snapshots: all grains and tools at one time, in one HDF5 file that ParaView opens by itself.
///
///     /                  attributes: program, version, git_hash, ranks, time [s], step, dt [s]
///     /configuration     text: the full effective run.yaml
///     /VTKHDF            VTKHDF 1.0 UnstructuredGrid, one vertex cell a grain, in one piece
///       Points           N x 3, m: centres of mass
///       Connectivity     0..N-1 (also what run.xdmf refers to), Offsets 0..N, Types all 1
///       FieldData/TimeValue  s: VTK's name for the time of a data set, which ParaView shows of a file by itself
///       PointData/...    one dataset a field of the store's table, with the attribute `unit`
///     /tools/...         the same fields, `position`, and `hole` of walls and tools: of those with a
///                        round hole the radii at its ends and where these are on its axis, m
///     /walls/NAME/...    the surface of a wall or tool as triangles: points, triangles (three rows of points
///                        each), force of the grains on it in the step before, N, a row a triangle;
///                        the attribute `shape`
///     /materials/density kg/m^3, with the names as an attribute
///     /hulls, /hull_...  of runs with polyhedra: their vertices and faces (io/state/hull_tables.hpp)
///     /clumps, /clump_parts  of runs with clumps: their parts (io/state/clump_tables.hpp)
///
/// From the fields: `shape` becomes `shape` (index of its type; attribute `names`), `semi_axes`
/// (half the edges of its box in the body frame, m; infinite for a plane) and `radius` (of the
/// ball of the same volume, m), and in runs with polyhedra or clumps `hull` and `clump` (their rows
/// of /hulls and /clumps; -1 of other shapes) and `scale` (1 of other shapes); `orientation` is w,
/// x, y, z. Of a run with periodic directions Points are in the cell, and `unwrapped_position` is
/// where the grains would be if it did not repeat, m. `owner` is the rank that has the grain.
/// Indices (material, group) have an attribute `names`. Grains are in the order of ranks: `id` says
/// which is which.
///
/// A file has those arrays of grains that SnapshotContent asks for; all are shuffled and deflated.
///
/// One piece in all, whatever the number of ranks: the file does not depend on how many wrote it,
/// and one connectivity serves both ways of reading. Reference: VTKHDF, VTK's file format
/// documentation; DESIGN, section 6.

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/io/paraview/snapshot_content.hpp"

namespace scree {

/// Facts in a snapshot besides the bodies.
struct SnapshotMeta {
  double time = 0.0;  ///< s
  std::int64_t step = 0;
  double dt = 0.0;                 ///< s
  std::string configuration = {};  ///< the text of run.yaml
  std::vector<std::string> materials = {};
  std::vector<double> densities = {};  ///< of the materials, kg/m^3
  std::vector<std::string> groups = {};
  std::vector<std::string> tools = {};
  std::vector<Vec3> tool_forces = {};  ///< of the grains on each, N; empty: none
  PeriodicCell cell = {};
  SnapshotContent content = {};
};

/// One array of the point data, for the index (io/paraview/xdmf.hpp).
struct PointArray {
  std::string name;
  int width = 1;          ///< numbers a grain
  std::string_view type;  ///< XDMF's word: Float, Int, UChar
  int precision = 8;      ///< bytes of a number
};

/// A wall or tool as triangles, for the index.
struct WallSurface {
  std::string name;
  std::int64_t points = 0;
  std::int64_t triangles = 0;
};

/// The entry of the index about a snapshot.
struct SnapshotInfo {
  std::filesystem::path path;
  double time = 0.0;  ///< s
  std::int64_t bodies = 0;
  std::vector<PointArray> arrays;  ///< by name
  std::vector<WallSurface> walls;  ///< by name
};

/// Writes the owned grains of every rank, and the tools, to @p path. Collective. Ghosts are left
/// out. The file is written as PATH.part and appears under its name when it is whole.
/// @throws Failure on all ranks; then PATH.part is removed and a file under @p path is untouched.
SnapshotInfo write_snapshot(MPI_Comm comm, const std::filesystem::path& path, const Store& store,
                            const SnapshotMeta& meta);

/// The facts that a snapshot written before has of itself. Not collective. @throws InputError when
/// it is none.
SnapshotInfo read_snapshot_info(const std::filesystem::path& path);

}  // namespace scree
