#pragma once

#include <string>

#include "scree/config/option_set.hpp"

namespace scree {

class Declaration;

/// The keys under `contact:` that concern constraints: the way of constraints
/// (step/constraints.hpp), and the keys of all ways.
struct ConstraintOptions {
  std::string way;
  /// Overlap at the end of a step over the inscribed radius of a pair's smaller grain, for ways
  /// that look there: what `relcp` may leave, and half of which a solve of the others may add.
  double overlap_tolerance = 1e-5;
  OptionSet of_ways;

  /// The first way of the list, and the defaults of all.
  ConstraintOptions();
  void declare(Declaration& d);
};

}  // namespace scree
