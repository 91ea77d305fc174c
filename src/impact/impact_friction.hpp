#pragma once

/// One-way friction after a frictionless impact: its impulses follow from the normal ones, and not
/// the other way round. They dissipate as much as Coulomb's bound lets them,
///
///     argmin_f  |v + M^-1 T^T f|_M^2 / 2  (the sliding counted against the walls),    |f_k| <= mu_k lambda_k,
///
/// and lambda_k, the normal impulses, do not change. Method: contact after contact, the exact
/// minimum over its disc. Between sweeps over all contacts there are some over those alone that
/// still dissipate. All but the last over all, and of those between, dissipate more than a share of
/// all that friction could, sum_k mu_k lambda_k |u_k| at the start: so there are finitely many,
/// some two over that share at most. Where approaches below a bound are left, sweeps end as well
/// when no contact dissipates more than the energy of one: the step's problem has friction for what
/// still slides.
///
/// | symbol | meaning                                  | shape | unit |
/// | ---    | ---                                      | ---   | ---  |
/// | T      | tangent rows of the contacts             | 2 n x d | 1, m |
/// | f      | tangential impulses on the first bodies  | 2 a contact | N s |
/// | u      | tangential velocities of the contacts    | 2 a contact | m/s |
///
/// Friction may make contacts approach anew; resolve_impacts() then answers these without friction.
/// Reference: paper 000, section 6.3 (maximal dissipation, one way; the paper leaves the method to Smith et al. 2012).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/impact/energy_space.hpp"

namespace scree {

struct FrictionOutcome {
  std::vector<Eigen::Vector2d> impulse;  ///< f of each contact, N s
  double dissipated = 0.0;               ///< J, against the walls; at least 0
  std::int64_t sweeps = 0;
};

/// Adds the friction of the normal impulses @p normal (N s, one a contact) to @p y, of @p space,
/// which is that of @p problem. @param resting approach of each contact that is left,
/// sqrt(J); empty: none.
FrictionOutcome apply_friction(const ImpactProblem& problem, const EnergySpace& space,
                               const Eigen::VectorXd& normal, Eigen::VectorXd& y,
                               const Eigen::VectorXd& resting = {});

/// argmin f^T D f / 2 + b . f over |f| <= radius, for one D and many b: its eigenvectors are found
/// once.
class DiscMinimum {
 public:
  /// @pre @p d is symmetric and positive semidefinite.
  explicit DiscMinimum(const Eigen::Matrix2d& d);
  /// @pre @p b is in the range of D.
  Eigen::Vector2d operator()(const Eigen::Vector2d& b, double radius) const {
    if (!is_round_) return within_ellipses(b, radius);
    if (values_[0] <= 0.0) return Eigen::Vector2d::Zero();
    const double length = b.norm();
    return -b * std::min(1.0 / values_[0], length > 0.0 ? radius / length : 0.0);
  }

 private:
  Eigen::Vector2d within_ellipses(const Eigen::Vector2d& b, double radius) const;

  bool is_round_;  ///< D is a multiple of the unit matrix, as of balls
  Eigen::Matrix2d vectors_;
  Eigen::Vector2d values_;  ///< zero where D cannot move: no impulse is along those
};

}  // namespace scree
