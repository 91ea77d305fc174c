#pragma once

/// The best iterate of a solve, which is the result of it.

#include "scree/base/petsc.hpp"
#include "solver/progress/measured_iterate.hpp"

namespace scree {

class BestIterate {
 public:
  /// Keeps the start of a solve; zeros in place of impulses that are not finite. Collective.
  BestIterate(const MeasuredIterate& start, Vec lambda);

  /// Keeps @p lambda, measured as @p iterate, where it is solved or nearer to a solution than the
  /// one that is kept. Collective.
  void offer(const MeasuredIterate& iterate, Vec lambda, const Goal& goal);
  /// Whether lambda() is what was offered last; before any offer, the start, and not zeros in its
  /// place.
  bool is_last() const { return is_last_; }
  const MeasuredIterate& iterate() const { return iterate_; }
  double residual() const { return iterate_.measures.residual; }
  Vec lambda() const { return lambda_.get(); }

 private:
  MeasuredIterate iterate_;
  petsc::Vector lambda_;
  bool is_last_ = true;
};

}  // namespace scree
