#pragma once

/// The best iterate of a solve, which is the result of it.

#include <optional>
#include <vector>

#include "scree/base/petsc.hpp"
#include "solver/progress/measured_iterate.hpp"

namespace scree {

class BestIterate {
 public:
  /// Keeps the start of a solve; zeros in place of impulses that are not finite. Collective.
  BestIterate(const MeasuredIterate& start, Vec lambda, const KnownVelocities& velocities = {});

  /// Keeps @p lambda, measured as @p iterate, where it is solved or nearer to a solution than the
  /// one that is kept. Collective.
  /// @param velocities Measurer::body_velocities() of the measurement
  void offer(const MeasuredIterate& iterate, Vec lambda, const Goal& goal,
             const KnownVelocities& velocities = {});
  const MeasuredIterate& iterate() const { return iterate_; }
  double residual() const { return iterate_.measures.residual; }
  Vec lambda() const { return lambda_.get(); }
  /// Measurer::body_velocities() of lambda(), for the report; none of zeros in the place of a start
  /// that is not finite. Ends this.
  std::optional<std::vector<double>> take_velocities();

 private:
  void keep(const KnownVelocities& velocities);

  MeasuredIterate iterate_;
  petsc::Vector lambda_;
  bool knows_velocities_ = false;
  std::vector<double> velocities_;
};

}  // namespace scree
