#pragma once

/// The cones of a rank that are swept by rules beside the kernels, in the kernels' terms
/// (kernels.hpp): a sweep from y gives x, and inertia moves y on. Impulses are double numbers, in
/// SI units. Kept from step to step: vectors keep their capacity. Not collective.

#include <span>
#include <vector>

#include "ruled_rows.hpp"

namespace scree {

class RuledGroup {
 public:
  /// @p rows: null where there are none.
  void take(const RuledRows* rows);
  bool empty() const { return rows_ == nullptr; }
  /// y = x = those of @p lambda, the impulses of all rows of the problem.
  void set_impulses(std::span<const double> lambda);
  /// One sweep, over bodies as RuledRows has them. @returns f of inertia.hpp.
  template <class Bodies>
  double run(const Bodies& bodies, double momentum) {
    if (rows_ == nullptr) return 0.0;
    swept_ = impulse_;
    rows_->sweep(swept_, bodies);
    return move_on(momentum);
  }
  /// x, among those of all rows of the problem.
  void impulses(std::span<double> lambda) const;

 private:
  double move_on(double momentum);

  const RuledRows* rows_ = nullptr;
  std::vector<double> impulse_;  ///< y
  std::vector<double> result_;   ///< x
  std::vector<double> swept_;    ///< the next x
};

}  // namespace scree
