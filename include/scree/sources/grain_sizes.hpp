#pragma once

/// Sizes of grains: distributions of their radii, each a struct with its word in YAML.
///
/// A distribution is its quantile function: radius_at(p), p in [0, 1), is the radius that the share
/// p of the grains, by number, falls short of. Grains get evenly spread p in random order
/// (counter_random.hpp), so that a group has its distribution but for one grain or so in each
/// class, and not for chance: of a wide grading the few coarsest grains are much of the mass.
///
/// Each struct has smallest(), largest() [m] and mean_cube(), the mean of the cubed radius [m^3].

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace scree {

class Declaration;

/// The radii come with the places, or with the populations.
struct RadiiOfFile {
  static constexpr std::string_view kType = "file";
  static constexpr std::string_view kHelp =
      "given by the file that places the grains, or by the populations";
  void declare(Declaration&) {}
  double radius_at(double /*p*/) const { return 0.0; }
  double smallest() const { return 0.0; }
  double largest() const { return 0.0; }
  double mean_cube() const { return 0.0; }
};

/// Each radius between two bounds equally likely.
struct UniformRadii {
  static constexpr std::string_view kType = "uniform";
  static constexpr std::string_view kHelp = "each radius from min to max equally likely";
  double min = 0.0;  ///< m
  double max = 0.0;  ///< m
  void declare(Declaration& d);
  double radius_at(double p) const { return min + p * (max - min); }
  double smallest() const { return min; }
  double largest() const { return max; }
  double mean_cube() const;
};

/// A normal distribution without its ends.
struct NormalRadii {
  static constexpr std::string_view kType = "normal";
  static constexpr std::string_view kHelp = "normally distributed, cut off at min and max";
  double mean = 0.0;       ///< before it is cut off, m
  double deviation = 0.0;  ///< before it is cut off, m
  double min = 0.0;        ///< m
  double max = 0.0;        ///< m
  void declare(Declaration& d);
  double radius_at(double p) const;
  double smallest() const { return min; }
  double largest() const { return max; }
  double mean_cube() const;
};

/// A distribution whose logarithms are normal, without its ends.
struct LognormalRadii {
  static constexpr std::string_view kType = "lognormal";
  static constexpr std::string_view kHelp = "lognormally distributed, cut off at min and max";
  double median = 0.0;         ///< before it is cut off, m
  double log_deviation = 0.0;  ///< standard deviation of ln(radius), before it is cut off
  double min = 0.0;            ///< m
  double max = 0.0;            ///< m
  void declare(Declaration& d);
  double radius_at(double p) const;
  double smallest() const { return min; }
  double largest() const { return max; }
  double mean_cube() const;
};

/// A grading curve by mass, as sieving gives it. Between two sieves the mass is spread evenly over
/// ln(d): straight lines on the usual chart with its logarithmic axis. So of the mass m of the
/// grains between the sieves a and b
///
///     number density(d) ~ m d^-4 / ln(b/a),      a <= d <= b.
struct SieveCurve {
  static constexpr std::string_view kType = "sieve";
  static constexpr std::string_view kHelp = "a sieve curve: share of the mass by diameter";
  std::vector<double> diameters;  ///< diameters of the sieves, increasing, m
  std::vector<double> passing;    ///< share of the mass that passes each, from 0 to 1
  void declare(Declaration& d);
  /// The fault of the numbers; empty when there is none. The functions below want it empty.
  std::string fault() const;
  double radius_at(double p) const;
  double smallest() const { return fault().empty() ? 0.5 * diameters.front() : 0.0; }
  double largest() const { return fault().empty() ? 0.5 * diameters.back() : 0.0; }
  double mean_cube() const;
};

/// A few radii, each with its share of the grains.
struct RadiiTable {
  static constexpr std::string_view kType = "table";
  static constexpr std::string_view kHelp = "given radii, each with its number of grains";
  std::vector<double> values;   ///< m
  std::vector<double> numbers;  ///< numbers of grains of each size, relative to each other
  void declare(Declaration& d);
  double radius_at(double p) const;
  double smallest() const;
  double largest() const;
  double mean_cube() const;
};

/// Given radii: in a region each as often as the others, at given points one after another.
struct RadiiList {
  static constexpr std::string_view kType = "list";
  static constexpr std::string_view kHelp =
      "in a region each of these as often, at points taken in turn";
  std::vector<double> values;  ///< m
  void declare(Declaration& d);
  double radius_at(double p) const {
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size()))];
  }
  double smallest() const;
  double largest() const;
  double mean_cube() const;
};

using Radii = std::variant<RadiiOfFile, UniformRadii, RadiiList, NormalRadii, LognormalRadii,
                           SieveCurve, RadiiTable>;

/// @pre the radii are not those of a file, and their numbers are sound.
double radius_at(const Radii& radii, double p);
double mean_cube(const Radii& radii);        ///< m^3; @pre as above
double smallest_radius(const Radii& radii);  ///< m; 0 for those of a file and a faulty list
double largest_radius(const Radii& radii);   ///< m; 0 for those of a file and a faulty list

}  // namespace scree
