#pragma once

/// Between the problem as formulated and the unit-free form of the interior point method.

#include "ipm_system.hpp"

namespace scree::ipm {

/// Collective. @p rho: dim / tr(N_ii) of this rank's cones (Measurer::rho).
Units make_units(const ContactProblem& problem, const std::vector<double>& rho);

/// Collective. Whether the friction of any cone of any rank is exact, so that the problem is not
/// convex.
bool has_exact_friction(const ContactProblem& problem);

/// c = T^-1 r / V.
Points to_units(const Units& units, Vec r);
/// lambda = T^-1 x V / nu.
void from_units(const Units& units, const Points& x, Vec lambda);
/// The diagonal of R' = T^-1 R T^-1 / nu, zeros where contacts are rigid.
Points compliance_in_units(const ContactProblem& problem, const Units& units);

/// The natural map's residual of the iterate in its own units, with its infeasibility: what the
/// method itself has reached, whatever the problem as formulated says. Collective.
double own_residual(MPI_Comm comm, const Cones& cones, const Points& x, const Points& y,
                    double infeasibility);

}  // namespace scree::ipm
