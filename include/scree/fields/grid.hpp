#pragma once

/// The grid of fields, and how what is at a point is shared among its cells.
///
/// The value of a field in a cell is the mean over the cell. Of a unit at x the cell [f_j, f_j+1]
/// of a direction has
///
///     share_j = S((f_j+1 - x)/h) - S((f_j - x)/h)          of several cells     (fields/kernel.hpp)
///     share   = 1 where low <= x < high, else 0            of one cell: there fields are averaged over
///
/// and a cell of the grid the product of three shares over its volume. The shares of a point whose
/// function lies within the grid add up to one, whatever the cells are: integrals over the grid are
/// those over the grains. In periodic directions a point counts with its images.

#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/fields/options.hpp"
#include "scree/geometry/periodic.hpp"

namespace scree {

/// A direction of a grid.
struct GridAxis {
  double low = 0.0;   ///< m
  double high = 1.0;  ///< m
  std::int32_t cells = 1;
  double period = 0.0;  ///< m; 0: space does not repeat

  double spacing() const { return (high - low) / cells; }
  double face(std::int32_t j) const { return low + j * spacing(); }
  bool is_averaged() const { return cells == 1; }
};

struct FieldGrid {
  std::array<GridAxis, 3> axes;

  std::int64_t n_cells() const;
  double cell_volume() const;  ///< m^3
  Vec3 origin() const;         ///< lower corner, m
  Vec3 spacing() const;        ///< m
  /// Cells are numbered with x fastest, z slowest.
  std::int64_t cell(std::int32_t x, std::int32_t y, std::int32_t z) const;
  Vec3 centre(std::int64_t cell) const;  ///< m
};

FieldGrid grid_of(const FieldGridOptions& options, const PeriodicCell& cell);

struct CellShare {
  std::int32_t cell;
  double share;
};

/// Appends the shares of a unit at @p x, in a direction of several cells. A cell may come more than
/// once.
void append_smooth_shares(const GridAxis& axis, double x, double h, std::vector<CellShare>& shares);
/// Appends the whole unit to the one cell of a direction that is averaged over.
void append_whole_share(const GridAxis& axis, double x, std::vector<CellShare>& shares);

}  // namespace scree
