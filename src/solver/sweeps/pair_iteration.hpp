#pragma once

/// Gauss-Seidel with inertia, or gradient steps, on the kernels: sweeps in single precision, what
/// adds up in them computed afresh in double at each check. Where that serves no longer they go on
/// in single precision by changes over what the check has computed (iterative refinement), or in
/// double where the kernels have no changes, the method relaxes, or changes gain nothing for long.
/// Reference: Moler, Iterative refinement in floating point, J. ACM 14 (1967).
///
/// Between ranks by mass splitting (sweep.hpp): after a sweep a shared body gets the mean of what
/// its parts did, and inertia acts on that. Contacts of shared bodies are swept first, and messages
/// about these bodies go while the other contacts are swept: at once as far as MPI sends them ahead
/// (with Open MPI on one computer 4 kB, the shares of 85 bodies), larger ones where it is called.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "inertia.hpp"
#include "pair_sweep.hpp"
#include "scree/base/gradient_pace.hpp"
#include "scree/base/running_sum.hpp"
#include "scree/problem/body_exchange.hpp"
#include "scree/problem/measure.hpp"
#include "shared_bodies.hpp"

namespace scree {

/// Messages between ranks. On one rank nothing need be set.
struct PairRanks {
  BodyExchange* exchange = nullptr;  ///< of the shared bodies alone; null on one rank
  MPI_Comm comm = MPI_COMM_SELF;     ///< of all ranks
  SharedBodies shared;
};

struct PairMethod {
  LocalLaw law = LocalLaw::coulomb;
  bool gradient = false;  ///< gradient steps of all contacts at once in place of sweeps
  bool restarts = true;   ///< of gradient steps (GradientPace)
  double step = 1.0;
  double relaxation = 1.0;
  double softness = 0.0;  ///< softness_of() the contacts, over the largest k_b
};

class PairIteration {
 public:
  PairIteration();

  /// Collective. Starts from @p lambda, into which take_impulses() writes; it and the views of
  /// @p rows must outlive the sweeps.
  /// @p velocities: M^-1 J^T lambda of each body, six numbers each, where they are known, until
  /// the sweeps that follow are run
  void start(const PairRows& rows, const PairRanks& ranks, const PairMethod& method,
             std::span<double> lambda, const KnownVelocities& velocities = {});
  /// Collective. @p n sweeps, or gradient steps.
  void run(std::int64_t n);
  /// Writes x of the sweeps so far, in the rows' order, to the numbers that they started from. Not
  /// collective.
  std::span<const double> take_impulses();
  /// Collective. Has the sweeps go on from the impulses that were taken, with what those do to the
  /// bodies afresh in double: @p velocities, as in start().
  void go_on(const KnownVelocities& velocities = {});
  /// Adapts inertia and precision to the residual after @p sweeps that did not end the solve, since
  /// which go_on() was called. Not collective.
  void judge(double residual, std::int64_t sweeps);
  /// f of the last sweep (inertia.hpp), d^T D d of the last gradient step, J, the same on all
  /// ranks.
  double moved() const { return moved_; }
  /// The larger of the factors of steps and moves.
  double factor() const { return std::max(method_.step, method_.relaxation); }
  /// Both factors become 1.
  void drop_factor() { method_.step = method_.relaxation = 1.0; }

  /// How sweeps are stored, the same on all ranks: whole impulses in single precision, changes in
  /// single precision, whole impulses in double.
  enum class Precision { single, refined, full };
  Precision precision() const { return precision_; }
  /// The inertia of the sweeps, which is the same on all ranks.
  const Inertia& inertia() const { return inertia_; }

 private:
  void go_on_in(Precision next);
  template <class T>
  void run_in(PairSweep<T>& sweep, std::int64_t n);
  template <class T>
  void sweep_once(PairSweep<T>& sweep);
  template <class T>
  void step_once(PairSweep<T>& sweep);
  template <class T, class Part, class Then>
  void share(PairSweep<T>& sweep, const Part& part, const Then& then);
  template <class T>
  void remember_shared(const PairSweep<T>& sweep);
  template <class T>
  void take_changes(const PairSweep<T>& sweep);
  template <class T>
  void give_changes(PairSweep<T>& sweep) const;
  template <class T>
  void take(PairSweep<T>& sweep);
  void set_bodies(const KnownVelocities& velocities);
  void sum_shared_bodies();

  PairSweep<float> in_float_;
  PairSweep<double> in_double_;
  Inertia inertia_;
  GradientPace pace_;
  PairMethod method_;
  PairRows rows_;
  const PairRanks* ranks_ = nullptr;
  Precision precision_ = Precision::single;
  bool may_refine_ = false;             ///< whether the kernels of all ranks have changes
  std::optional<RunningSums<3>> sums_;  ///< those of all ranks
  double moved_ = 0.0;
  double best_ = 0.0;
  std::int64_t best_at_ = 0;
  std::span<double> impulses_;      ///< x at the last check
  std::span<const double> bodies_;  ///< those of the impulses, six numbers a body
  std::vector<double> own_bodies_;  ///< the same where no one knows them
  std::vector<double> shared_;      ///< shared bodies' numbers before a sweep
  std::vector<double> changes_;     ///< changes of shared bodies, six numbers each
};

}  // namespace scree
