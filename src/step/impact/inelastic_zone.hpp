#pragma once

/// The inelastic outcome of a zone of any size.

#include <vector>

#include "scree/impact/impact_problem.hpp"

namespace scree {

/// The normal impulses of @p zone after which nothing approaches and what opens carries none, N s:
/// exactly where contacts are few; else by the solvers of half lines, scaled to the least energy
/// along what they give, so that the energy never grows. Not collective. See InelasticSolver
/// (impact/resolve_impacts.hpp).
std::vector<double> inelastic_zone(const ImpactProblem& zone);

}  // namespace scree
