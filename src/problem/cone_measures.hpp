#pragma once

/// Sums and maxima over this rank's cones, of which the measures are made (measure.hpp): cones side
/// by side, block by block. Not collective.

#include <span>
#include <vector>

#include "scree/problem/contact_problem.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

/// All but the last three in the units.
struct MeasureSums {
  double energy_w = 0.0;
  double energy_lambda = 0.0;
  double work = 0.0;           ///< lambda^T u~
  double squared_error = 0.0;  ///< velocity_error^2
  double squared_light = 0.0;  ///< the same of contacts too light to be seen in energies
  double feasibility = 0.0;    ///< m/s or N s
  double pushed = 0.0;         ///< the positive normal impulses, N s
  double pushing = 0.0;        ///< their number
};

/// At the velocities @p u, which are N lambda + r. @p normals gets the first row's of each cone.
MeasureSums gather(const ContactProblem& problem, const std::vector<double>& rho,
                   const MeasureUnits& units, std::span<const double> lambda,
                   std::span<const double> u, std::span<double> normals);

/// The sums at the velocities that @p bodies have by @p lambda, M^-1 J^T lambda. @pre block rows.
MeasureSums gather_by_bodies(const ContactProblem& problem, const std::vector<double>& rho,
                             const MeasureUnits& units, std::span<const double> lambda,
                             std::span<const double> bodies, std::span<double> normals);

/// E(w at lambda = 0).
double energy_at_zero(const ContactProblem& problem, const std::vector<double>& rho,
                      const MeasureUnits& units);

}  // namespace scree
