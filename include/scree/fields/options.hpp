#pragma once

/// The keys under `output.fields`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

class Declaration;

/// The keys under `grid:` of one of them.
struct FieldGridOptions {
  /// The most cells that fit into the memory of each rank: 23 numbers a cell.
  static constexpr std::int64_t kMostCells = 1'000'000;

  Vec3 lower = Vec3::Zero();  ///< m
  Vec3 upper = Vec3::Zero();  ///< m
  std::vector<std::int64_t> cells{1, 1, 1};

  void declare(Declaration& d);
  std::int64_t n_cells() const;
};

/// A file's name has room for it beside the number of a step, and so has a run's path
/// (io/run_folder/run_folder.cpp).
inline constexpr std::size_t kLongestFieldName = 64;

/// Whether a name can stand in those of files, and as it is in patterns: of letters, digits, _ and
/// -, not too long.
bool can_name_fields(const std::string& name);

/// Fields of one grid, and when they are averaged.
struct FieldOptions {
  /// A table of more rows a mean is not what one reads, and fills a disk.
  static constexpr std::int64_t kMostRows = 100'000;
  /// A step adds to as many cells for each grain and, many times, for each of its contacts.
  static constexpr double kMostReached = 1e5;

  std::string name;
  FieldGridOptions grid;
  double width = 0.0;       ///< standard deviation of the coarse-graining function, m
  double every = 0.0;       ///< s; 0: one mean in all
  double from = 0.0;        ///< s
  double to = 0.0;          ///< s; 0: the end of the run
  std::int64_t stride = 1;  ///< steps
  bool csv = true;

  void declare(Declaration& d);
  /// Whether a step, or a part of one, from @p start to @p end, s, counts.
  bool wants(double start, double end) const;
};

}  // namespace scree
