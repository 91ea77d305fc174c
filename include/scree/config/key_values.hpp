#pragma once

/// Keys of a file, with the value that each is to take (a Setting), or with the values that it is
/// to take one after the other (KeyValues): what a stage of a run sets, and what a sweep varies.
///
/// In YAML the values are a list of anything, or of numbers one of
///
///     {linear: [first, last, count]}   evenly spaced
///     {log: [first, last, count]}      evenly spaced logarithms
///     {range: [first, last, step]}     by steps from the first; with the last where steps lead to it

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A key with the value that it is to take.
struct Setting {
  std::string key;                    ///< `a.b.c` or `a[x,y].b`, as for `--set`
  std::string value;                  ///< YAML, on one line
  std::string place;                  ///< where it was given, for messages: `sweep.yaml:4`
  std::filesystem::path folder = {};  ///< of relative paths in the value; empty: whoever reads it
                                      ///< says which

  friend bool operator==(const Setting& a, const Setting& b) {
    return a.key == b.key && a.value == b.value;
  }
};

/// The value under the @p key of a setting in the YAML document @p text, on one line as a setting
/// holds it. Not collective. @throws InputError when there is none, or the text is no YAML.
std::string value_in_line(std::string_view text, std::string_view key);

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
