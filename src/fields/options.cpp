#include "scree/fields/options.hpp"

#include <fmt/format.h>

#include <algorithm>

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

bool names_a_file(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

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

bool FieldGridOptions::has_one_cell() const {
  return std::all_of(cells.begin(), cells.end(), [](std::int64_t n) { return n == 1; });
}

void FieldOptions::declare(Declaration& d) {
  d.object("grid", grid, {.help = "where the fields are"});
  d.real(
      "width", width,
      {.help = "standard deviation of the coarse-graining function, which ends at 3.46 times it: "
               "about a grain's radius to resolve layers, a diameter or more to smooth them",
       .unit = "m",
       .min = 0.0});
  d.real("every", every,
         {.help = "simulated time that one mean is over; 0: one mean of the whole time",
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
  d.require("grid", names_a_file(name),
            fmt::format("\"{}\" cannot name files; allowed: letters, digits, _ and -", name));
  d.require("width", width > 0.0 || grid.has_one_cell(),
            "is 0; allowed: above 0, unless the grid is one cell");
  d.require("to", to == 0.0 || to > from, "is not after from");
}

bool FieldOptions::wants(double start, double end) const {
  const double middle = 0.5 * (start + end);
  return middle > from && (to == 0.0 || middle < to);
}

}  // namespace scree
