#pragma once

/// Sweeps over the contacts, over either form of N, and what they do at one contact: nsgs, pgs,
/// psor and amgs are each a rule for one contact, written once for every type of cone. Impulses are
/// this rank's rows.
///
/// Between ranks, in this one place. Impulses of other ranks are those of the sweep before, and a
/// rank works with a matrix D that has no blocks between ranks and bounds N from above, N <= D:
///
/// - Rigid bodies, N = sum_b B_b B_b^T: mass splitting. A body that the cones of k_b ranks touch
///   counts on each of them with 1/k_b of its mass; after the sweep the whole body gets the mean of
///   what its parts did. With B_b split by rank into B_bp,
///       |sum_p B_bp^T x_p|^2 <= k_b sum_p |B_bp^T x_p|^2,  so that  D = diag_p(sum_b k_b B_bp B_bp^T).
/// - A matrix: l1 hybrid Gauss-Seidel. D is N without the blocks between ranks, plus theta_i I with
///   theta_i (m/s per N s) the absolute row sums of those blocks (block Gershgorin).
///
/// Why that converges (associated law, N symmetric): for the move d of a sweep
/// F(lambda + d) <= F(lambda) + grad^T d + 1/2 d^T D d =: Q(d), with equality at d = 0. A rule that
/// lowers Q cone by cone, rank by rank, lowers F in every sweep whatever the number of ranks, until
/// no cone can lower Q, that is, until each cone's condition holds with d = 0: at a solution of the
/// problem itself. For the exact law there is no such proof on any number of ranks; the fixed
/// points are the same.
///
/// On rigid bodies a sweep works on w = B^T lambda (problem/body_rows.hpp) and never forms N;
/// otherwise on the rows of N. The compliance R is part of D.
/// References: Baker, Falgout, Kolev, Yang, Multigrid smoothers for ultraparallel computing, SIAM J.
/// Sci. Comput. 33 (2011), section 5; Tonge, Benevolenski, Voroshilov, Mass splitting for
/// jitter-free parallel rigid body simulation, ACM Trans. Graph. 31 (2012).

#include <memory>
#include <span>
#include <vector>

#include "scree/problem/contact_problem.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

/// The work of a sweep at the contacts of one batch. Not collective.
class BatchRule {
 public:
  virtual ~BatchRule() = default;
  /// Moves the impulse @p l of the batch's contact @p k, whose velocity is @p u; @p change gets the
  /// move.
  /// @returns whether it moved.
  virtual bool move(std::size_t k, const double* u, double* l, double* change) = 0;
};

/// A rule for every type of cone. Not collective.
class ContactRule {
 public:
  explicit ContactRule(double relaxation) : relaxation_(relaxation) {}
  virtual ~ContactRule() = default;
  ContactRule(const ContactRule&) = delete;
  ContactRule& operator=(const ContactRule&) = delete;

  /// The rule of a batch, which must not outlive this. @p blocks: D_ii of its cones, dim x dim
  /// each.
  virtual std::unique_ptr<BatchRule> make(const ConeBatch& batch,
                                          std::span<const double> blocks) const = 0;

  /// Factor of the moves: 1 is the minimum along a cone, up to 2 is over-relaxation.
  double relaxation() const { return relaxation_; }
  void set_relaxation(double relaxation) { relaxation_ = relaxation; }

 private:
  double relaxation_;
};

/// nsgs: the contact solved exactly (nsgs.hpp).
std::unique_ptr<ContactRule> make_exact_rule(double relaxation);

/// pgs and psor, or amgs: one projected step, with or without the memory x_- (pgs.hpp); on a
/// pyramid one a row. @p mean_diagonal: d of Omega = alpha d E, 1/kg, where @p relaxation is 2 / (1
/// + 2 alpha); 0: Omega = alpha D.
enum class Memory { none, modulus };
std::unique_ptr<ContactRule> make_projected_rule(double relaxation, Memory memory,
                                                 double mean_diagonal = 0.0);

class Sweep {
 public:
  virtual ~Sweep() = default;
  /// Collective. Takes @p lambda as the present impulses.
  virtual void start(const std::vector<double>& lambda) = 0;
  /// Collective. One sweep; writes @p lambda, which only sweeps have changed since start().
  virtual void run(std::vector<double>& lambda) = 0;
  /// u = N lambda + r for the impulses given to start(). Not collective.
  virtual void velocities(std::vector<double>& u) const = 0;
};

/// Collective. @p problem and @p rule must outlive the sweep.
std::unique_ptr<Sweep> make_sweep(const ContactProblem& problem, const ContactRule& rule);

std::unique_ptr<Sweep> make_body_sweep(const ContactProblem& problem, const ContactRule& rule);
std::unique_ptr<Sweep> make_matrix_sweep(const ContactProblem& problem, const ContactRule& rule);

}  // namespace scree
