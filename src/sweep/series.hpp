#pragma once

/// Columns of a run's tables over time, and single numbers that say what they were.

#include <string_view>
#include <vector>

#include "scree/io/run_folder/run_folder.hpp"
#include "scree/sweep/observable.hpp"

namespace scree::sweep {

/// The rows of a column within a window, one after the other; never empty.
struct TimeSeries {
  std::vector<double> time;  ///< at the end of each row's step, s
  std::vector<double> dt;    ///< length of the step, s
  std::vector<double> value;
};

/// Not collective. @throws InputError for a table that is missing or damaged, and when no row is in
/// the window.
TimeSeries column_of(const RunFolder& folder, const ColumnObservable& which);

/// @p of: `last`, `mean` over time (a row weighs its dt), `max` or `min`.
double figure_of(const TimeSeries& series, std::string_view of);

/// Slope of the least-squares line through value over time. @throws InputError for a single row.
double slope_of(const TimeSeries& series);

}  // namespace scree::sweep
