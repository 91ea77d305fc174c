#include "scree/fields/grid.hpp"

#include <algorithm>
#include <cmath>

#include "kernel.hpp"

namespace scree {
namespace {

/// The number of the cell that holds @p x, which may be outside, as far as cells are numbered.
std::int32_t nearest_cell(const GridAxis& axis, double x) {
  const double place = std::floor((x - axis.low) / axis.spacing());
  return static_cast<std::int32_t>(std::clamp(place, 0.0, axis.cells - 1.0));
}

/// The shares of one image, whose function meets the axis.
void append_image(const GridAxis& axis, double x, double h, std::vector<CellShare>& shares) {
  const double reach = kSplineReach * h;
  const std::int32_t last = nearest_cell(axis, x + reach);
  std::int32_t j = nearest_cell(axis, x - reach);
  double below = spline_integral((axis.face(j) - x) / h);
  for (; j <= last; ++j) {
    const double above = spline_integral((axis.face(j + 1) - x) / h);
    if (above > below) shares.push_back({j, above - below});
    below = above;
  }
}

}  // namespace

std::int64_t FieldGrid::n_cells() const {
  std::int64_t n = 1;
  for (const GridAxis& axis : axes) n *= axis.cells;
  return n;
}

Vec3 FieldGrid::origin() const {
  return {axes[0].low, axes[1].low, axes[2].low};
}

Vec3 FieldGrid::spacing() const {
  return {axes[0].spacing(), axes[1].spacing(), axes[2].spacing()};
}

double FieldGrid::cell_volume() const {
  return spacing().prod();
}

std::int64_t FieldGrid::cell(std::int32_t x, std::int32_t y, std::int32_t z) const {
  return x + static_cast<std::int64_t>(axes[0].cells) *
                 (y + static_cast<std::int64_t>(axes[1].cells) * z);
}

Vec3 FieldGrid::centre(std::int64_t cell) const {
  Vec3 x;
  for (int k = 0; k < 3; ++k) {
    const GridAxis& axis = axes[k];
    x[k] = axis.low + (static_cast<double>(cell % axis.cells) + 0.5) * axis.spacing();
    cell /= axis.cells;
  }
  return x;
}

FieldGrid grid_of(const FieldGridOptions& options, const PeriodicCell& cell) {
  FieldGrid grid;
  for (int k = 0; k < 3; ++k) {
    grid.axes[k] = {.low = options.lower[k],
                    .high = options.upper[k],
                    .cells = static_cast<std::int32_t>(options.cells[k]),
                    .period = cell.period[k]};
  }
  return grid;
}

void append_smooth_shares(const GridAxis& axis, double x, double h,
                          std::vector<CellShare>& shares) {
  const double reach = kSplineReach * h;
  if (axis.period == 0.0) {
    if (x + reach > axis.low && x - reach < axis.high) append_image(axis, x, h, shares);
    return;
  }
  const double last = std::floor((axis.high + reach - x) / axis.period);
  for (double k = std::ceil((axis.low - reach - x) / axis.period); k <= last; ++k) {
    append_image(axis, x + k * axis.period, h, shares);
  }
}

void append_whole_share(const GridAxis& axis, double x, std::vector<CellShare>& shares) {
  if (axis.period > 0.0) x -= std::floor((x - axis.low) / axis.period) * axis.period;
  // Rounding puts an image at low + period at worst, which is low; a grid may be as long as that.
  const bool spans_all = axis.period > 0.0 && axis.high - axis.low >= axis.period;
  if (spans_all || (x >= axis.low && x < axis.high)) shares.push_back({0, 1.0});
}

}  // namespace scree
