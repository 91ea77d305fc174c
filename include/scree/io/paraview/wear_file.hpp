#pragma once

/// Forces and wear on the triangles of a tool's mesh, in HDF5 files that ParaView opens by itself,
/// and their index.
///
///     wear/TOOL_########.hdf   means of the time until the end of that step, and the work until then
///       /                attributes: program, kind, from, time [s], step, seconds (that counted)
///       /VTKHDF          VTKHDF 1.0 UnstructuredGrid, a triangle a cell, where the tool is at the time
///         FieldData/TimeValue  s
///         CellData/...   force (mean, on the triangle, world frame as the tool stands, N), pressure (mean of the
///                        normal force over the area, Pa), sliding_power (mean, W/m^2), sliding_work
///                        (what friction took since the run began, J/m^2)
///     wear/TOOL.xdmf     index of the files with their times
///
/// Nothing here is collective: rank 0 writes.

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/io/paraview/xdmf.hpp"

namespace scree {

struct WearMap {
  double from = 0.0;  ///< s
  double time = 0.0;  ///< s
  std::int64_t step = 0;
  double seconds = 0.0;                                ///< that the means are of
  std::vector<Vec3> points;                            ///< m, world frame
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< all below have an entry each
  std::vector<double> force;                           ///< three numbers each, N
  std::vector<double> pressure;                        ///< Pa
  std::vector<double> sliding_power;                   ///< W/m^2
  std::vector<double> sliding_work;                    ///< J/m^2
};

/// The entry of the index about a file.
struct WearFileInfo {
  std::filesystem::path path;
  double time = 0.0;  ///< s
  std::int64_t points = 0;
  std::int64_t triangles = 0;
};

/// The file appears when it is whole. @throws Failure; then nothing has changed.
WearFileInfo write_wear(const std::filesystem::path& path, const WearMap& map);
/// @throws InputError when @p path is none.
WearFileInfo read_wear_info(const std::filesystem::path& path);
/// The sliding work of the file's triangles, J/m^2. @throws InputError when @p path is none.
std::vector<double> read_sliding_work(const std::filesystem::path& path);

/// The entry of a file in an index that stands in @p folder.
XdmfEntry xdmf_entry(const std::filesystem::path& folder, const WearFileInfo& info);

}  // namespace scree
