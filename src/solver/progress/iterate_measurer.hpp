#pragma once

/// Measures iterates of one solve against its goal. All calls are collective.

#include <optional>

#include "scree/problem/contact_error.hpp"
#include "solver/progress/measured_iterate.hpp"

namespace scree {

class IterateMeasurer {
 public:
  /// @p problem must outlive this.
  explicit IterateMeasurer(const ContactProblem& problem) : problem_(problem), measurer_(problem) {}

  /// @p u is N lambda + r where it is known, else null. The errors of contacts, which cost two more
  /// products, are looked at only where all else holds.
  MeasuredIterate measure(Vec lambda, Vec u, const Goal& goal);
  Measurer& measurer() { return measurer_; }

 private:
  const ContactProblem& problem_;
  Measurer measurer_;
  std::optional<ContactErrors> contact_errors_;  ///< made for the first iterate that needs them
};

}  // namespace scree
