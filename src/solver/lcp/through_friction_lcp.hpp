#pragma once

/// Makes a method for LCPs one for contacts with friction in linear form: their friction LCP
/// (problem/friction_lcp.hpp) is formulated, from the start given, and solved; what the law of the
/// contacts leaves unsolved is for a sharper solve of it.
///
/// The two have residuals of their own: one of rows, slacks among them, the other of contacts. What
/// counts is the latter, as for every method: where the former is within the tolerance and the
/// latter is not, the LCP is solved on to a hundredth of its tolerance, at most a few times.
/// Iterations, and what a limit bounds, are those of the method.

#include <memory>
#include <string_view>

#include "scree/solver/solver.hpp"

namespace scree {

/// @p method, called @p name, takes half lines. It begins where @p sweeps of pgs over the contacts
/// end. Problems of half lines alone are for
/// @p without_friction.
std::unique_ptr<Solver> through_friction_lcp(std::string_view name, std::unique_ptr<Solver> method,
                                             std::unique_ptr<Solver> without_friction,
                                             std::int64_t sweeps);

}  // namespace scree
