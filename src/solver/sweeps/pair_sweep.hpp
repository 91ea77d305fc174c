#pragma once

/// Sweeps over the contacts of one rank by the kernels (kernels.hpp), in single or double
/// precision, then over the rows behind them by rules, on the same bodies: storage, its filling,
/// and the state of impulses and bodies. Kept from step to step:
/// vectors keep their capacity. Not collective; what ranks tell each other is the caller's
/// (solve_pairs).

#include <cstddef>
#include <span>
#include <vector>

#include "cone_group.hpp"
#include "kernels.hpp"
#include "pair_rows.hpp"
#include "ruled_group.hpp"
#include "wide_vector.hpp"

namespace scree {

/// Factors by which a sweep takes its steps, and of inertia.
struct SweepFactors {
  double step = 1.0;
  double relaxation = 1.0;
  double momentum = 0.0;
};

template <class T>
class PairSweep {
 public:
  explicit PairSweep(const SweepKernels<T>& kernels) : kernels_(kernels) {}

  /// Takes the contacts in the form of @p rows, and the rows behind. @p shared: which bodies other
  /// ranks know, too.
  void take(const PairRows& rows, const SharedBodies& shared, LocalLaw law);

  /// y = x = @p lambda.
  void set_impulses(const PairRows& rows, std::span<const double> lambda);
  /// The bodies' numbers for x, six a body, afresh, so that rounding does not add up; those for y
  /// follow.
  void set_bodies(std::span<const double> w);

  /// Whether all contacts have kernels for changes (kernels.hpp), and no rows are behind them.
  bool can_refine() const;
  /// Has the sweeps go on by changes over @p lambda, which impulses() gave, and @p w, the bodies'
  /// numbers for it: rounding is then a share of what sweeps still change. The first time y = x.
  /// Then set_bodies() is not to be called. @pre can_refine()
  void refine(const PairRows& rows, std::span<const double> lambda, std::span<const double> w);

  /// One sweep, or a part of it. The bodies are left at what x gives; those that are shared are
  /// there after the part of these: where there are rows behind the contacts, which may be of any
  /// body, that part is all of the sweep. @returns f of inertia.hpp, of the part.
  double run(const SweepFactors& factors, SweepPart part = SweepPart::whole);
  /// Begins a gradient step (gradient_kernel.hpp), whose parts step() takes as run() does those of
  /// a sweep; then y follows x by the momentum that move_on() is given, and the next step by the
  /// same.
  /// @pre can_refine(), and contacts by the associated law
  void begin_step();
  /// @returns its sums over the contacts of the part, J.
  GradientSums step(const SweepFactors& factors, SweepPart part = SweepPart::whole);
  /// What this rank's own bodies add to the curvature of the step that begin_step() began, J. @pre
  /// shared bodies have the changes of all ranks
  double curvature_of_bodies() const;
  /// After run(): what @p w, six numbers a body, should be for x where other ranks had a part in
  /// it; after refine() their changes.
  double body(std::size_t b, std::size_t k) const {
    return body_unit_ * static_cast<double>(bodies_[8 * b + k]);
  }
  void set_body(std::size_t b, std::size_t k, double w) {
    bodies_[8 * b + k] = static_cast<T>(w / body_unit_);
  }
  /// Ends the sweep: the bodies move on to what y gives.
  void move_on(double momentum);

  /// x in the rows' order, in the cones in spite of rounding.
  void impulses(const PairRows& rows, std::span<double> lambda) const;

 private:
  double run_part(const SweepFactors& factors, SweepPart part);
  SweepArguments<T> arguments(const SweepFactors& factors);
  void take_body(const PairRows& rows, std::size_t b, double sharers);

  const SweepKernels<T>& kernels_;
  double impulse_unit_ = 1.0;  ///< kg (KernelUnits)
  double body_unit_ = 1.0;     ///< of the bodies' numbers: its root where they are B^T lambda
  PairForm form_ = PairForm::rows;
  std::vector<ConeRange> ranges_;
  std::vector<ConeGroup<T>> groups_;  ///< of each range
  RuledGroup ruled_;
  /// w for y, for x between run() and move_on(); after refine() their changes.
  WideVector<T> bodies_;
  WideVector<T> masses_;         ///< the bodies' other numbers, by points
  WideVector<T> before_;         ///< w for x of the sweep before, likewise
  WideVector<T> from_;           ///< w for y of the gradient step, likewise
  std::vector<double> sharers_;  ///< k_b of this rank's own bodies
  bool refined_ = false;
};

extern template class PairSweep<double>;
extern template class PairSweep<float>;

}  // namespace scree
