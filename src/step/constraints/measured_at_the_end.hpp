#pragma once

#include "scree/step/constraints.hpp"

namespace scree {

/// Constraints of the step's start, with which the step is solved once, and the overlap that they
/// leave of the bodies' own shapes at its end is measured.
class MeasuredAtTheEnd : public Constraints {
 public:
  double spare() const final { return 1.0; }
  bool holds_shapes_apart() const final { return false; }
  SolvedContacts solve(const StepWork& work, ContactList contacts) const final;

 protected:
  explicit MeasuredAtTheEnd(const ConstraintOptions& options)
      : overlap_tolerance_(options.overlap_tolerance) {}

 private:
  double overlap_tolerance_;  ///< over the inscribed radius; a solve may leave half of it
};

}  // namespace scree
