#pragma once

/// The natural map of one cone, whose zeros are the solutions:
///
///     w = lambda - P_K(lambda - rho u~)
///
/// The one place that says how far an impulse is from its law, and whether its contact is closed.

#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

template <class Cone>
struct NaturalPoint {
  cones::Rows<Cone::kDim> velocity;  ///< u~, m/s
  cones::Rows<Cone::kDim> image;     ///< P_K(lambda - rho u~), N s
};

/// @p share_of_shift is 1 where friction is exact, else 0. Without branches, so that cones are
/// measured side by side.
template <class Cone>
inline __attribute__((always_inline)) NaturalPoint<Cone> natural_point(
    const Cone& cone, double share_of_shift, double rho, const double* lambda, const double* u) {
  constexpr int kDim = Cone::kDim;
  NaturalPoint<Cone> at{cones::Rows<kDim>::Zero(), cones::Rows<kDim>::Zero()};
  for (int k = 0; k < kDim; ++k) at.velocity[k] = u[k];
  at.velocity[0] += share_of_shift * cone.shift(at.velocity);
  cones::Rows<kDim> step = cones::Rows<kDim>::Zero();
  for (int k = 0; k < kDim; ++k) step[k] = lambda[k] - rho * at.velocity[k];
  at.image = cone.project(step);
  return at;
}

/// Calls `visit(number, lambda, point)` for each of this rank's cones with its natural point at @p
/// lambda. Collective.
template <class Visit>
void for_each_natural_point(const ContactProblem& problem, Vec lambda, Visit&& visit) {
  const petsc::Vector velocity = petsc::duplicate(problem.r.get());
  DelassusProduct(problem).contact_velocity(lambda, velocity.get());
  const std::vector<double>& rho = cone_scales(problem);
  const petsc::ConstView l(lambda);
  const petsc::ConstView u(velocity.get());
  for_each_cone(problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const double share = at.exact ? 1.0 : 0.0;
    visit(at.number, rows_of(cone, l.data() + at.row),
          natural_point(cone, share, rho[at.number], l.data() + at.row, u.data() + at.row));
  });
}

}  // namespace scree
