#pragma once

/// The elastic outcome of simultaneous impacts: an impact operator, again and again, until nothing
/// approaches (Algorithm 1), in the complement of the implicit equalities (Algorithm 2), in inexact
/// arithmetic (Algorithms 3, 4):
///
///     violated:   a_i . y < -max(epsilon |y|, resting_i)
///     R(y)      = y + s A l,   s = -2 y . A l / |A l|^2        (s is 1 but for rounding: (KIN))
///     y         = R(y) |y_0| / |R(y)|                          (no drift of the energy)
///
/// y_0 is the start without its part in the lineality space: what moves against implicit equalities
/// is lost, as Algorithm 2 has it.
///
/// The tolerances: an application has l >= 2 epsilon |y|, and its rounding, some 1e-15 |y|, must
/// stay below epsilon l (epsilon NORM), so that epsilon is well above 2e-8; Lemma 7.1 wants a
/// flatness above epsilon sqrt(d).
///
/// flatness is raised to twice that where d is large.
///
/// Departures from the paper: s, which keeps (NORM) and (KIN) together where the program of
/// reflections is solved up to rounding; Algorithm 4 normalizes to |y_i| each time, here it is to
/// |y_0|, each hundred applications or as many as there are contacts, for both operators; resting,
/// 0 in the paper, ends sooner: each application keeps the energy as before, and each is still of
/// a contact that approaches by more than epsilon |y|, so that the proof of an end holds.
/// Reference: paper 000, Algorithms 1 to 3, section 7; supplement A.2, Algorithm 4.

#include <cstdint>
#include <vector>

#include "scree/impact/impact_operator.hpp"
#include "scree/impact/implicit_equalities.hpp"

namespace scree {

struct ElasticOptions {
  ImpactOperatorKind kind = ImpactOperatorKind::reflections;
  ImpactOrder order = ImpactOrder::lexicographic;
  std::uint64_t seed = 1;  ///< of the random order
  double epsilon = 1e-7;   ///< what counts as approaching, of |y|
  double flatness = 1e-5;  ///< what counts as an implicit equality (implicit_equalities.hpp)
  /// Applications of Algorithm 1 a contact, without a look at equalities, before Algorithm 2 begins
  /// from the start: an impact that ends within them needs no linear program. 0 is the paper's
  /// Algorithm 2; with max_applications it is Algorithm 1 alone.
  std::int64_t patience = 0;
  std::int64_t max_applications = 10'000'000;  ///< of either algorithm: the last resort
};

struct ElasticOutcome {
  Eigen::VectorXd velocity;  ///< y, d
  Eigen::VectorXd impulse;   ///< l >= 0 of every column; those of equalities are one choice of many
  std::int64_t applications = 0;
  bool ended = false;  ///< false where the last resort cut it off: the velocity still approaches
  int programs = 0;    ///< linear programs solved
  double program_seconds = 0.0;
  std::vector<std::int32_t> equalities;  ///< contacts that are implicit equalities, ascending
  double lost_energy = 0.0;              ///< of the part of the start in the lineality space, J
};

/// A velocity y, and what the applications of an operator make of it, scaled and normalized as
/// above.
class ElasticState {
 public:
  /// @param normals, @param gram A and A^T A, which must outlive this. @param resting as of
  /// elastic_outcome()
  ElasticState(const SparseColumns& normals, const Gram& gram, Eigen::VectorXd start,
               Eigen::VectorXd resting = {});

  /// False where nothing approaches faster than @p epsilon |y| and its resting; then nothing
  /// changes. One operator alone serves a state from its first application on, which tells it of
  /// every change.
  bool apply(ImpactOperator& impact, double epsilon);

  const Eigen::VectorXd& velocity() const { return velocity_; }
  /// The sum of all applications, per column.
  const Eigen::VectorXd& impulse() const { return impulse_; }
  /// The impulses of the last application, scaled.
  const std::vector<ScaledImpulse>& last() const { return last_; }

 private:
  bool propose(ImpactOperator& impact, double epsilon);
  void normalize();

  const SparseColumns& normals_;
  const Gram& gram_;
  Eigen::VectorXd velocity_;
  Eigen::VectorXd approach_;  ///< A^T y
  Eigen::VectorXd resting_;
  Eigen::VectorXd thresholds_;  ///< those that the operator has
  Eigen::VectorXd impulse_;
  Eigen::VectorXd answer_;  ///< room for A^T A l of an application, zero between them
  std::vector<ScaledImpulse> last_;
  double norm_;
  bool is_known_ = false;  ///< whether the operator has started from approach_
  Eigen::Index since_normalized_ = 0;
};

/// @param normals A: columns of norm 1 or 0. @param gram A^T A. @param resting what does not count
/// as approaching though faster than epsilon |y|, of each contact, sqrt(J); empty: nothing.
ElasticOutcome elastic_outcome(const SparseColumns& normals, const Gram& gram,
                               const Eigen::VectorXd& start, const ElasticOptions& options,
                               const Eigen::VectorXd& resting = {});

/// What counts as an implicit equality among contacts whose columns have so many @p rows: the
/// flatness of @p options, or more where Lemma 7.1 asks for it.
double flatness_of(const ElasticOptions& options, Eigen::Index rows);

/// From A alone, of which the Gram matrix is made.
ElasticOutcome elastic_outcome(const SparseColumns& normals, const Eigen::VectorXd& start,
                               const ElasticOptions& options);

}  // namespace scree
