#pragma once

/// Measures of how near impulses of a problem are to its solution, for problems with many
/// solutions: impulses may press against each other without end there, while forces J^T lambda, and
/// with them velocities, are the same in all. Energies as in problem/measure.hpp, E(x) = sum
/// |x_i|^2 / rho_i. The problem is whole on the calling rank, in product form.

#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/problem/measure.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree::test {

struct Certificate {
  double residual = 0.0;
  double scale = 0.0;  ///< E(w) of a residual of 1: the larger of E(l) and E(w) without impulses, J
};

/// Of impulses @p l.
inline Certificate certificate(const ContactProblem& problem, const std::vector<double>& l) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  to_vec(l, lambda.get());
  const double residual = Measurer(problem).measure(lambda.get()).residual;
  SCREE_PETSC(VecSet(lambda.get(), 0.0));
  const std::vector<double>& rho = cone_scales(problem);
  double without = 0.0;
  double of_impulses = 0.0;
  for_each_natural_point(problem, lambda.get(), [&](auto i, const auto&, const auto& point) {
    without += point.image.squaredNorm() / rho[i];
  });
  to_vec(l, lambda.get());
  for_each_natural_point(problem, lambda.get(), [&](auto i, const auto& own, const auto&) {
    of_impulses += own.squaredNorm() / rho[i];
  });
  return {residual, std::max(without, of_impulses)};
}

/// |v_a - v_b|^2 in M, J: of two impulses, that of the forces between them, in M^-1.
inline double energy_between(const ContactProblem& problem, const std::vector<double>& a,
                             const std::vector<double>& b) {
  const petsc::Vector inverse = petsc::duplicate(problem.v_free.get());
  SCREE_PETSC(MatGetDiagonal(inverse_mass(problem), inverse.get()));
  const petsc::ConstView per_mass(inverse.get());
  double energy = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (per_mass[k] > 0.0) energy += std::pow(a[k] - b[k], 2) / per_mass[k];
  }
  return energy;
}

}  // namespace scree::test
