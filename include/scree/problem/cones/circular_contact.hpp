#pragma once

/// The problem of one contact with Coulomb friction, solved exactly: given the velocity q that the
/// contact would have without its own impulse, the impulse l with
///
///     u = A l + q,     K_mu in l  _|_  u~ in K_mu*,     u~ = u (associated) or
///                                                       u + (mu |u_t|, 0, 0) (coulomb)
///
/// A is 3 x 3 (m/s per N s), positive semi-definite, perhaps singular, perhaps not symmetric; cones
/// of dim 1 and 2 are padded with zero rows and columns.
///
/// Three cases: apart (l = 0), stick (u = 0), slide. Sliding, u_t = -alpha l_t with alpha > 0 and
/// |l_t| = mu l_n. Exact law: u_n = 0 gives, with the Schur complement S of A_nn,
///
///     l_t(alpha) = -(S + alpha I)^-1 s,   s = q_t - A_tn q_n / A_nn,
///     l_n(alpha) = -(q_n + A_nt l_t) / A_nn,     mu l_n(alpha) = |l_t(alpha)|     (a quartic)
///
/// found by Newton's method on mu l_n / |l_t| - 1, nearly linear in alpha, within a bracket that
/// always holds a root. Relaxed law: u_n = mu |u_t|; the least energy over |l_t| <= mu l_n is a
/// convex function of l_n alone whose derivative is found by the same scalar equation (a trust
/// region of radius mu l_n), and vanishes at the solution.
/// References: Bonnefon, Daviet, Quartic formulation of Coulomb 3D frictional contact (2011);
/// Conn, Gould, Toint, Trust-region methods (2000), section 7.3.

#include <array>

#include "scree/problem/cones.hpp"

namespace scree::cones {

class CircularContact {
 public:
  CircularContact() = default;
  /// @p a: A, row-major 3 x 3. Cones of dim 1 have mu = 0.
  CircularContact(const std::array<double, 9>& a, double mu);

  /// q = u - A l.
  void without_own(const double* u, const double* l, double* q) const {
    for (std::size_t k = 0; k < 3; ++k) {
      q[k] = u[k] - (a_[3 * k] * l[0] + a_[3 * k + 1] * l[1] + a_[3 * k + 2] * l[2]);
    }
  }
  /// Writes the solution for @p q to @p l. A contact that nothing can move gets l = 0.
  void solve(bool exact, const double* q, double* l) {
    exact ? solve_coulomb(q, l) : solve_associated(q, l);
  }
  double mu() const { return mu_; }
  /// alpha of the last solution, 0 where the contact sticks.
  double alpha() const { return alpha_; }

 private:
  void solve_coulomb(const double* q, double* l);
  void solve_associated(const double* q, double* l);

  std::array<double, 9> a_{};
  std::array<double, 4> schur_{};  ///< S = A_tt - A_tn A_nt / A_nn
  double mu_ = 0.0;
  double inverse_nn_ = 0.0;  ///< 1 / A_nn, 0 where A_nn is 0
  double smallest_ = 0.0;    ///< alpha that stands for stick where S is singular
  double alpha_ = 0.0;       ///< alpha of the last call, from which the next one starts
};

}  // namespace scree::cones
