#pragma once

#include <string>
#include <vector>

#include "scree/config/option_set.hpp"

namespace scree {

class Declaration;

/// The keys under `impact:`: the name of the law (step/impact.hpp), and the keys of all laws.
struct ImpactLawOptions {
  std::string law;
  OptionSet of_laws;

  /// The first law of the list, and the defaults of all.
  ImpactLawOptions();
  void declare(Declaration& d);
  /// Why these keys make no law of a run, with or without inertia; empty when they do.
  std::vector<std::string> faults(bool has_inertia) const;
};

}  // namespace scree
