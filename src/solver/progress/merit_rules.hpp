#pragma once

/// The rules of MeritOptions, by which the merit of a method ends it.

#include <limits>
#include <optional>
#include <string>

#include "scree/base/petsc.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// The rule that ends a method, and its numbers.
struct MeritEnd {
  MeritRule rule;
  std::string reason;
};

class MeritRules {
 public:
  explicit MeritRules(const MeritOptions& options) : options_(options) {}

  /// The first rule that ends the method at @p lambda, whose merit is @p merit; not-a-number for a
  /// method without one, which no rule ends. Collective.
  std::optional<MeritEnd> judge(Vec lambda, double merit);

 private:
  std::optional<MeritEnd> judge_merit(double merit);
  /// Compares @p lambda with that of the call before.
  std::optional<MeritEnd> judge_change(Vec lambda);

  MeritOptions options_;
  double last_merit_ = std::numeric_limits<double>::quiet_NaN();
  petsc::Vector last_;  ///< lambda of the last call, where MeritOptions::change asks for it
};

}  // namespace scree
