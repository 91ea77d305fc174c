#pragma once

/// One-way friction after a frictionless impact: its impulses follow from the normal ones, and not
/// the other way round. They dissipate as much as Coulomb's bound lets them,
///
///     argmin_f  |v + M^-1 T^T f|_M^2 / 2  (the sliding counted against the walls),    |f_k| <= mu_k lambda_k,
///
/// and lambda_k, the normal impulses, do not change. Method: contact after contact, the exact
/// minimum over its disc. Every sweep but the last dissipates more than a share of all that
/// friction could, sum_k mu_k lambda_k |u_k| at the start: so there are finitely many, fewer than
/// one over that share.
///
/// | symbol | meaning                                  | shape | unit |
/// | ---    | ---                                      | ---   | ---  |
/// | T      | tangent rows of the contacts             | 2 n x d | 1, m |
/// | f      | tangential impulses on the first bodies  | 2 a contact | N s |
/// | u      | tangential velocities of the contacts    | 2 a contact | m/s |
///
/// Friction may make contacts approach anew; resolve_impacts() then answers these without friction.
/// Reference: paper 000, section 6.3 (maximal dissipation, one way; the paper leaves the method to Smith et al. 2012).

#include <cstdint>
#include <vector>

#include "scree/impact/impact_problem.hpp"

namespace scree {

struct FrictionOutcome {
  std::vector<Eigen::Vector2d> impulse;  ///< f of each contact, N s
  double dissipated = 0.0;               ///< J, against the walls; at least 0
  std::int64_t sweeps = 0;
};

/// Adds the friction of the normal impulses @p normal (N s, one a contact) to @p velocities.
FrictionOutcome apply_friction(const ImpactProblem& problem, const std::vector<double>& normal,
                               ImpactVelocities& velocities);

/// argmin f^T D f / 2 + b . f over |f| <= radius. @pre D is symmetric and positive semidefinite, b
/// in its range.
Eigen::Vector2d minimum_on_disc(const Eigen::Matrix2d& d, const Eigen::Vector2d& b, double radius);

}  // namespace scree
