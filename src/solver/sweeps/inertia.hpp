#pragma once

/// Inertia of sweeps (Nesterov's, with an adaptive restart). With x+ = G(y) a sweep from y,
///
///     y+ = x+ + B (x+ - x),   B = min(B_max, (th - 1) / th+),   th+ = (1 + sqrt(1 + 4 th^2)) / 2
///     f  = sum_i |G(y)_i - y_i|^2 trace(D_ii)/3;   where f grew: th = max(1, th/2), and f is forgotten
///
/// | symbol | meaning                                   | unit |
/// | ---    | ---                                       | ---  |
/// | x      | impulses of a sweep: what is judged       | N s  |
/// | y      | what the next sweep starts from           | N s  |
/// | f      | what a sweep moves: falls while it helps  | J    |
/// | B_max  | min(0.85, (1 - sqrt(q)) / (1 + sqrt(q))) | 1 |
/// | q      | twice the softness of the contacts (softness_of()), over the largest k_b (sweep.hpp) | 1 |
///
/// With more than 0.85 beds with exact friction do not settle. Where contacts yield, R bounds the
/// eigenvalues of the scaled N from below, and the second bound is the best momentum of gradient
/// steps where eigenvalues are between q and 1; of sweeps that is with twice the softness
/// (docs/notes/sweeps.md).
/// The velocities of the bodies are linear in the impulses and move with them. Friction makes the
/// problem no minimisation, and there is no proof; so inertia rests where the best residual stands
/// still for long, and comes back where plain sweeps do not help either.
/// References: O'Donoghue, Candes, Adaptive restart for accelerated gradient schemes, Found. Comput. Math. 15
/// (2015); Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate multibody dynamics
/// with friction and contact, ACM Trans. Graph. 34 (2015), whose iteration is Jacobi's.

#include <cstddef>
#include <cstdint>
#include <limits>

namespace scree {

struct ContactProblem;

/// The harmonic mean of R_n / (trace(N_ii) / dim) over contacts, whatever rows of other sources are
/// behind them, the first @p n_contacts cones of each rank: 0 where some contact is rigid.
/// Collective.
double softness_of(const ContactProblem& problem, std::size_t n_contacts);

class Inertia {
 public:
  explicit Inertia(double softness = 0.0);
  /// Momentum factor B of the next sweep.
  double momentum();
  /// Takes the move f of the sweep that momentum() was for.
  void update(double moved);
  /// The residual after @p sweeps: rests, or ends its rest, where the best has not fallen by
  /// kProgress for long.
  void judge(double residual, std::int64_t sweeps);
  /// Forgets the sweeps before: the impulses or their precision are others.
  void restart();
  bool resting() const { return resting_; }
  double theta() const { return theta_; }

 private:
  double largest_;  ///< B_max
  bool resting_ = false;
  double theta_ = 1.0;
  double moved_ = std::numeric_limits<double>::infinity();
  double best_ = std::numeric_limits<double>::infinity();
  std::int64_t best_at_ = 0;
};

}  // namespace scree
