#pragma once

#include "scree/step/constraints.hpp"

namespace scree {

/// Constraints of the step's start, with which the step is solved once, and the overlap that they
/// leave of the bodies' own shapes at its end is measured.
class MeasuredAtTheEnd : public Constraints {
 public:
  bool looks_at_the_end() const final { return true; }
  bool holds_shapes_apart() const final { return false; }
  SolvedContacts solve(const StepWork& work, Detected found) const final;

 protected:
  /// @param all has the tolerance of overlaps of relcp, half of which a solve may leave
  explicit MeasuredAtTheEnd(const OptionSet& all);

 private:
  double overlap_tolerance_;  ///< over the inscribed radius
};

}  // namespace scree
