#pragma once

#include <string>

#include "scree/config/option_set.hpp"

namespace scree {

class Declaration;

/// The keys under `contact:` that concern constraints: the way of constraints
/// (step/constraints.hpp), and the keys of all ways.
struct ConstraintOptions {
  std::string way;
  OptionSet of_ways;

  /// The first way of the list, and the defaults of all.
  ConstraintOptions();
  void declare(Declaration& d);
};

}  // namespace scree
