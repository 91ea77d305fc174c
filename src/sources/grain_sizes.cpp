#include "scree/sources/grain_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "normal_distribution.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

double cube(double x) {
  return x * x * x;
}

/// The keys of the two ends, after which `max` is checked.
void declare_ends(Declaration& d, double& min, double& max) {
  d.real("min", min, {.help = "smallest radius", .unit = "m", .above = 0.0, .required = true});
  d.real("max", max, {.help = "largest radius", .unit = "m", .above = 0.0, .required = true});
  d.require("max", max >= min, "is smaller than min");
}

double smallest_of(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::min_element(values.begin(), values.end());
}

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

/// The place in @p weights where the share p of their sum is reached, and p anew, of that entry.
std::size_t pick(const std::vector<double>& weights, double& p) {
  double rest = p * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] <= 0.0) continue;
    last = k;
    if (rest < weights[k]) break;
    rest -= weights[k];
  }
  p = std::clamp(rest / weights[last], 0.0, 1.0);
  return last;
}

/// 1/(3 ln(b/a)) (a^-3 - b^-3): the mean of d^-3 in a class of a sieve curve.
double mean_inverse_cube(double a, double b) {
  return (1.0 / cube(a) - 1.0 / cube(b)) / (3.0 * std::log(b / a));
}

/// Numbers of grains in the classes, of the whole mass over pi/6 times the density.
std::vector<double> numbers_in_classes(const SieveCurve& curve) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k + 1 < curve.diameters.size(); ++k) {
    numbers.push_back((curve.passing[k + 1] - curve.passing[k]) *
                      mean_inverse_cube(curve.diameters[k], curve.diameters[k + 1]));
  }
  return numbers;
}

}  // namespace

void UniformRadii::declare(Declaration& d) {
  declare_ends(d, min, max);
}

double UniformRadii::mean_cube() const {
  return 0.25 * (min + max) * (min * min + max * max);
}

void NormalRadii::declare(Declaration& d) {
  d.real(
      "mean", mean,
      {.help = "mean radius, before it is cut off", .unit = "m", .above = 0.0, .required = true});
  d.real("deviation", deviation,
         {.help = "standard deviation, before it is cut off",
          .unit = "m",
          .above = 0.0,
          .required = true});
  declare_ends(d, min, max);
  d.require("mean", min <= mean && mean <= max, "must lie between min and max");
}

double NormalRadii::radius_at(double p) const {
  const CutNormal z{(min - mean) / deviation, (max - mean) / deviation};
  return std::clamp(mean + deviation * z.quantile(p), min, max);
}

double NormalRadii::mean_cube() const {
  const CutNormal z{(min - mean) / deviation, (max - mean) / deviation};
  return z.mean([this](double x) { return cube(mean + deviation * x); }, 0.0);
}

void LognormalRadii::declare(Declaration& d) {
  d.real(
      "median", median,
      {.help = "median radius, before it is cut off", .unit = "m", .above = 0.0, .required = true});
  d.real("log_deviation", log_deviation,
         {.help = "standard deviation of the radius' natural logarithm, before it is cut off",
          .above = 0.0,
          .required = true});
  declare_ends(d, min, max);
  d.require("median", min <= median && median <= max, "must lie between min and max");
}

double LognormalRadii::radius_at(double p) const {
  const CutNormal z{std::log(min / median) / log_deviation, std::log(max / median) / log_deviation};
  return std::clamp(median * std::exp(log_deviation * z.quantile(p)), min, max);
}

double LognormalRadii::mean_cube() const {
  const CutNormal z{std::log(min / median) / log_deviation, std::log(max / median) / log_deviation};
  return z.mean([this](double x) { return cube(median * std::exp(log_deviation * x)); },
                3.0 * log_deviation);
}

void SieveCurve::declare(Declaration& d) {
  d.reals(
      "diameters", diameters,
      {.help = "openings of the sieves, increasing", .unit = "m", .above = 0.0, .required = true});
  d.reals("passing", passing,
          {.help = "share of the mass that passes each; the first 0 and the last 1",
           .min = 0.0,
           .max = 1.0,
           .required = true});
  const std::string wrong = fault();
  d.require("passing", wrong.empty(), wrong);
}

std::string SieveCurve::fault() const {
  if (diameters.size() < 2) return "needs two sieves or more";
  if (passing.size() != diameters.size()) {
    return fmt::format("has {} entries for {} diameters; one each is needed", passing.size(),
                       diameters.size());
  }
  if (std::adjacent_find(diameters.begin(), diameters.end(), std::greater_equal<>()) !=
      diameters.end()) {
    return "needs diameters that increase";
  }
  if (!std::is_sorted(passing.begin(), passing.end()))
    return "decreases; a wider sieve passes more";
  if (passing.front() != 0.0) {
    return "must begin with 0: add the diameter of the smallest grains, which nothing passes";
  }
  if (passing.back() != 1.0) {
    return "must end with 1: add the diameter of the largest grains, which all pass";
  }
  return {};
}

double SieveCurve::radius_at(double p) const {
  const std::size_t k = pick(numbers_in_classes(*this), p);
  const double a = 1.0 / cube(diameters[k]);
  const double b = 1.0 / cube(diameters[k + 1]);
  return 0.5 * std::clamp(1.0 / std::cbrt(a - p * (a - b)), diameters[k], diameters[k + 1]);
}

double SieveCurve::mean_cube() const {
  const std::vector<double> numbers = numbers_in_classes(*this);
  return 0.125 / std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

void RadiiTable::declare(Declaration& d) {
  d.reals("values", values, {.help = "the radii", .unit = "m", .above = 0.0, .required = true});
  d.reals(
      "numbers", numbers,
      {.help = "of grains of each radius, relative to each other", .min = 0.0, .required = true});
  d.require("numbers", numbers.size() == values.size(),
            fmt::format("has {} entries for {} values; one each is needed", numbers.size(),
                        values.size()));
  d.require("numbers", std::accumulate(numbers.begin(), numbers.end(), 0.0) > 0.0,
            "must not all be 0");
}

double RadiiTable::radius_at(double p) const {
  return values[pick(numbers, p)];
}

double RadiiTable::smallest() const {
  return smallest_of(values);
}

double RadiiTable::largest() const {
  return largest_of(values);
}

double RadiiTable::mean_cube() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) sum += numbers[k] * cube(values[k]);
  return sum / std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

void RadiiList::declare(Declaration& d) {
  d.reals("values", values, {.help = "the radii", .unit = "m", .above = 0.0, .required = true});
  d.require("values", !values.empty(), "needs at least one radius");
}

double RadiiList::smallest() const {
  return smallest_of(values);
}

double RadiiList::largest() const {
  return largest_of(values);
}

double RadiiList::mean_cube() const {
  double sum = 0.0;
  for (const double value : values) sum += cube(value);
  return sum / static_cast<double>(values.size());
}

double radius_at(const Radii& radii, double p) {
  return std::visit([p](const auto& one) { return one.radius_at(p); }, radii);
}

double mean_cube(const Radii& radii) {
  return std::visit([](const auto& one) { return one.mean_cube(); }, radii);
}

double smallest_radius(const Radii& radii) {
  return std::visit([](const auto& one) { return one.smallest(); }, radii);
}

double largest_radius(const Radii& radii) {
  return std::visit([](const auto& one) { return one.largest(); }, radii);
}

}  // namespace scree
