#pragma once

/// Numbers that a sweep takes from each of its runs, by names of the user's choice: the keys under
/// `observables:`.

#include <filesystem>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "scree/app/config/run_config.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "scree/sources/regions.hpp"

namespace scree {

class Declaration;

/// The rows of a table that end after `from` and not after `to`.
struct Window {
  double from = 0.0;                                    ///< s
  double to = std::numeric_limits<double>::infinity();  ///< s

  void declare(Declaration& d);
  bool holds(double time, double dt) const {
    return time > from + 1e-6 * dt && time <= to + 1e-6 * dt;
  }
};

/// A figure made of a column of steps.csv, of one tool's rows of tools.csv, or of one grain's rows
/// of followed.csv.
struct ColumnObservable : Window {
  static constexpr std::string_view kType = "column";
  static constexpr std::string_view kHelp =
      "a column of steps.csv, with `tool` of tools.csv, or with `grain` of followed.csv";
  std::string tool;   ///< empty: none
  std::string grain;  ///< id, or the population of the only grain followed in it; empty: none
  std::string column;
  std::string of = "last";

  void declare(Declaration& d);
};

/// The volume of the grains in a box over that of the box, in the last snapshot. Grains that stick
/// out of the box count with the part of the ball of their volume that is in it; where grains
/// overlap they count twice.
struct PackingFraction : BoxRegion {
  static constexpr std::string_view kType = "packing_fraction";
  static constexpr std::string_view kHelp =
      "volume of grains in a box over that of the box, in the last snapshot";
};

/// The angle of the line through the heights of the free surface, in the last snapshot. The surface
/// is cut into square cells of a grain's size; a height is the top of the highest grain in a cell,
/// the median of those across.
struct AngleOfRepose {
  static constexpr std::string_view kType = "angle_of_repose";
  static constexpr std::string_view kHelp =
      "angle of the line through the heights of the surface, in the last snapshot";
  std::string along = "x";
  double from = 0.0;  ///< m
  double to = 0.0;    ///< m
  double cell = 0.0;  ///< m; 0: the largest diameter

  void declare(Declaration& d);
};

/// The slope of the line through the mass that came into removal boxes, over time.
struct DischargeRate : Window {
  static constexpr std::string_view kType = "discharge_rate";
  static constexpr std::string_view kHelp = "mass a second that comes into removal boxes";
};

struct ObservableSpec {
  std::string name;
  std::variant<ColumnObservable, PackingFraction, AngleOfRepose, DischargeRate> what;

  void declare(Declaration& d);
  std::string unit() const;
};

/// Why runs of @p config have no such number; empty when they have. Not collective.
std::string fault_of_observable(const ObservableSpec& spec, const RunConfig& config);

/// The number of the run in @p folder, which has come to its end. Not collective.
/// @throws InputError naming the file that is missing or damaged, or the window in which nothing
/// is.
double observe(const ObservableSpec& spec, const RunFolder& folder, const PeriodicCell& cell);

/// The angle in degrees between the horizontal and the line through the surface of @p balls (see
/// AngleOfRepose), with z up. @throws InputError when fewer than two columns of cells hold grains.
struct SurfaceGrain {
  Vec3 position;  ///< m
  double radius;  ///< m
};
double angle_of_surface(const std::vector<SurfaceGrain>& grains, const AngleOfRepose& how);

}  // namespace scree
