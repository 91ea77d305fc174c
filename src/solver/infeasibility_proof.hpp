#pragma once

/// A proof that a contact problem has no solution: a direction of the dual, and what it demands.
///
/// Every law asks of the velocities u = N lambda + r that they lie in a convex cone L*: u in K* for
/// the associated law, u_n >= 0 alone for an exact one, whose shift is free, and u = 0 for an
/// equation. So for each direction d in L (K; normals alone; all rows) and each solution lambda
///
///     0 <= d^T u = d^T N lambda + d^T r,   hence   sqrt(lambda^T N lambda) >= -d^T r / sqrt(d^T N d)
///
/// by Cauchy and Schwarz: lambda^T N lambda is |v+ - v_free|^2 in the metric of M (and what
/// yields). With c = max |r_i| and m the mass of all bodies,
///
///     speed = -d^T r / (c sqrt(m d^T N d))
///
/// is the least mean speed, in units of the speed c at which contacts close, that any solution
/// gives the bodies. It has no bound where no solution exists: d is then a state of stress that the
/// contacts hold by themselves (N d = 0) and that the closing works on (d^T r < 0).
///
/// | symbol | meaning                             | shape | unit |
/// | ---    | ---                                 | ---   | ---  |
/// | d      | direction, an impulse               | rows  | N s  |
/// | N, r   | of the problem (contact_problem.hpp) |      | 1/kg, m/s |
///
/// Candidates for d are the increments of the proximal point method of the frictionless (or
/// associated) problem, which converge to the least such direction where there is one.
/// References: Pazy, Asymptotic behavior of contractions in Hilbert space, Israel J. Math. 9 (1971);
/// Banjac, Goulart, Stellato, Boyd, Infeasibility detection in ADMM, J. Optim. Theory Appl. 183
/// (2019). Departure: theirs is for ADMM, and tests N d and d^T r against tolerances.

#include "scree/problem/contact_problem.hpp"
#include "scree/solver/goal.hpp"

namespace scree {

/// The speed from which a problem is infeasible: bodies would move a million times faster than any
/// contact asks.
inline constexpr double kImpossibleSpeed = 1e6;

/// The speed that @p direction, projected on L, proves of every solution, in units of max |r|; 0
/// where it proves nothing. Collective. @pre N is symmetric.
double speed_demanded(const ContactProblem& problem, Vec direction);

/// The largest speed_demanded() of the directions tried, infinite at the most: the search ends
/// where kImpossibleSpeed is passed, or after @p seconds (0: no limit). 0 where N is not symmetric.
/// Collective. @throws GivenUp.
double speed_of_any_solution(const ContactProblem& problem, const GiveUp& give_up,
                             double seconds = 0.0);

}  // namespace scree
