#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "line_fit.hpp"
#include "scree/base/check.hpp"
#include "scree/sweep/observable.hpp"

namespace scree {
namespace {

/// The mean of the two in the middle where the number is even. @pre @p values is not empty.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double largest_diameter(const std::vector<SurfaceGrain>& grains) {
  double radius = 0.0;
  for (const SurfaceGrain& grain : grains) radius = std::max(radius, grain.radius);
  return 2.0 * radius;
}

}  // namespace

double angle_of_surface(const std::vector<SurfaceGrain>& grains, const AngleOfRepose& how) {
  const Eigen::Index along = how.along == "x" ? 0 : 1;
  const Eigen::Index across = 1 - along;
  const double cell = how.cell > 0.0 ? how.cell : largest_diameter(grains);
  std::map<std::int64_t, std::map<std::int64_t, double>> columns;  // the highest top by cells, m
  for (const SurfaceGrain& grain : grains) {
    const double s = grain.position[along];
    if (s < how.from || s >= how.to) continue;
    const auto column = static_cast<std::int64_t>(std::floor((s - how.from) / cell));
    const auto row = static_cast<std::int64_t>(std::floor(grain.position[across] / cell));
    const double top = grain.position.z() + grain.radius;
    const auto [entry, fresh] = columns[column].emplace(row, top);
    if (!fresh) entry->second = std::max(entry->second, top);
  }
  std::vector<double> place;
  std::vector<double> height;
  for (const auto& [column, tops] : columns) {
    std::vector<double> values;
    for (const auto& [row, top] : tops) values.push_back(top);
    place.push_back(how.from + (static_cast<double>(column) + 0.5) * cell);
    height.push_back(median(values));
  }
  if (place.size() < 2)
    throw InputError("the angle of repose needs grains in two columns of cells or more");
  return std::abs(std::atan(slope_of_line(place, height))) * 180.0 / std::numbers::pi;
}

}  // namespace scree
