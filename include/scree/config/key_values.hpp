#pragma once

/// A key of another file, and the values that it is to take one after the other: what a sweep
/// varies.
///
/// In YAML the values are a list of anything, or of numbers one of
///
///     {linear: [first, last, count]}   evenly spaced
///     {log: [first, last, count]}      evenly spaced logarithms
///     {range: [first, last, step]}     by steps from the first; with the last where steps lead to it

#include <string>
#include <vector>

namespace scree {

struct KeyValues {
  std::string key;                  ///< `a.b.c` or `a[x,y].b`, as for `--set`
  std::vector<std::string> values;  ///< YAML each, on one line
  int line = 0;                     ///< number of the line in the file, from 1

  friend bool operator==(const KeyValues& a, const KeyValues& b) {
    return a.key == b.key && a.values == b.values;
  }
};

/// Numbers of a grid are rounded to 12 digits, so that 0.1 to 0.9 in 5 steps is 0.1, 0.3, 0.5, 0.7,
/// 0.9.
std::vector<std::string> linear_values(double first, double last, int count);
std::vector<std::string> log_values(double first, double last, int count);
std::vector<std::string> range_values(double first, double last, double step);

}  // namespace scree
