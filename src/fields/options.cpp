#include "scree/fields/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "kernel.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// Told by whole numbers, none of which is above the limit by itself, so that nothing overflows.
bool has_too_many(const std::vector<std::int64_t>& cells) {
  std::int64_t product = 1;
  for (const std::int64_t n : cells) {
    product *= std::min(n, FieldGridOptions::kMostCells + 1);
    if (product > FieldGridOptions::kMostCells) return true;
  }
  return false;
}

/// Why a width does not suit a grid; empty when it does. What is smeared further than the grid is
/// long has too many images in a periodic cell, and what is much sharper than its cells takes too
/// many pieces of a branch.
std::string fault_of_width(double width, const FieldGridOptions& grid) {
  for (int k = 0; k < 3; ++k) {
    if (grid.cells[k] == 1) continue;
    const double most = grid.upper[k] - grid.lower[k];
    const double least = 0.1 * most / static_cast<double>(grid.cells[k]);
    if (width >= least && width <= most) continue;
    return fmt::format("{} m does not suit the grid along {}; allowed: {:.6g} m to {:.6g} m", width,
                       "xyz"[k], least, most);
  }
  return {};
}

/// Cells that one grain's function reaches at most, which is what a grain and each of its contacts
/// cost a step.
double cells_reached(double width, const FieldGridOptions& grid) {
  double reached = 1.0;
  for (int k = 0; k < 3; ++k) {
    const double n = static_cast<double>(grid.cells[k]);
    const double spacing = (grid.upper[k] - grid.lower[k]) / n;
    reached *= std::min(n, 2.0 * kSplineReach * spline_unit(width) / spacing + 1.0);
  }
  return reached;
}

}  // namespace

bool can_name_fields(const std::string& name) {
  return !name.empty() && name.size() <= kLongestFieldName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
         });
}

void FieldGridOptions::declare(Declaration& d) {
  d.vector("lower", lower, {.help = "lower corner of the grid", .unit = "m", .required = true});
  d.vector("upper", upper, {.help = "upper corner of the grid", .unit = "m", .required = true});
  d.integers("cells", cells,
             {.help = "cells in x, y and z; in a direction with one cell fields are averaged over "
                      "all grains whose centre is between the corners",
              .min = 1,
              .count = 3});
  d.require("upper", (upper.array() > lower.array()).all(), "is not above lower in each direction");
  d.require(
      "cells", !has_too_many(cells),
      fmt::format("are more than {}, which each rank would keep; allowed: fewer", kMostCells));
}

std::int64_t FieldGridOptions::n_cells() const {
  return std::accumulate(cells.begin(), cells.end(), std::int64_t{1}, std::multiplies<>());
}

void FieldOptions::declare(Declaration& d) {
  d.object("grid", grid, {.help = "where the fields are"});
  d.real(
      "width", width,
      {.help = "standard deviation of the coarse-graining function, which ends at 3.46 times it: "
               "about a grain's radius to resolve layers, a diameter or more to smooth them; in "
               "directions with several cells from a tenth of a cell to the length of the grid",
       .unit = "m",
       .min = 0.0});
  d.real("every", every,
         {.help = "simulated time over which one mean is taken; 0: one mean of the whole time",
          .unit = "s",
          .min = 0.0});
  d.real("from", from, {.help = "time before which steps do not count", .unit = "s", .min = 0.0});
  d.real("to", to,
         {.help = "time after which steps do not count; 0: the end of the run",
          .unit = "s",
          .min = 0.0});
  d.integer(
      "stride", stride,
      {.help = "steps from one that counts to the next: 1 is exact, more costs less", .min = 1});
  d.flag("csv", csv, {.help = "write a table NAME.csv besides the images, a row a mean and cell"});
  d.require(
      "grid", name.size() <= kLongestFieldName,
      fmt::format("is of fields with a name of {} letters; allowed: at most {}, for it names files",
                  name.size(), kLongestFieldName));
  const std::string fault = fault_of_width(width, grid);
  d.require("width", fault.empty(), fault);
  const double reached = cells_reached(width, grid);
  d.require("width", reached <= kMostReached,
            fmt::format("smears each grain over {:.3g} cells, above {:.3g}; allowed: a smaller "
                        "width, or a grid of fewer cells",
                        reached, kMostReached));
  d.require("csv", !csv || grid.n_cells() <= kMostRows,
            fmt::format(
                "would be a table of {} rows a mean, above {}; allowed: false, or a grid of fewer "
                "cells",
                grid.n_cells(), kMostRows));
  d.require("to", to == 0.0 || to > from, "is not after from");
}

bool FieldOptions::wants(double start, double end) const {
  const double middle = 0.5 * (start + end);
  return middle > from && (to == 0.0 || middle < to);
}

}  // namespace scree
