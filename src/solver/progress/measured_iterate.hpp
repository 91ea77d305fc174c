#pragma once

/// An iterate as it was measured, and how far it is from the goal of its solve. Nothing here is
/// collective.

#include <string>

#include "scree/problem/measure.hpp"
#include "scree/solver/goal.hpp"

namespace scree {

struct MeasuredIterate {
  Measures measures;
  /// Its ContactErrors::largest(), where the goal bounds it and solved() holds; else 0.
  double contact_error = 0.0;
  bool solved = false;  ///< all that the goal asks for, the errors of contacts with it
  bool afresh = true;   ///< measured by a u of its own
};

/// A measure of the distance to a solution, and what it may be at most.
struct Bound {
  double Measures::*measure;
  double most;

  double over(const Measures& m) const { return m.*measure / most; }
  std::string in_words(const Measures& m) const;
};

/// The bound that impulses of @p m are to reach next: that of the residual, then that of the
/// velocity error.
Bound next_bound(const Measures& m, const Goal& goal);

/// By how many times @p iterate misses its next bound, or else, where it misses neither, the bound
/// on the errors of contacts. Above 1 as long as one of the three is missed.
double shortfall(const MeasuredIterate& iterate, const Goal& goal);

/// Whether @p a is nearer to a solution than @p b, bound by bound; of two that miss by the errors
/// of contacts alone, these decide.
bool is_nearer(const MeasuredIterate& a, const MeasuredIterate& b, const Goal& goal);

}  // namespace scree
