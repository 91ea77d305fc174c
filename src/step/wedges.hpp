#pragma once

/// Grains that have nowhere to go.
///
/// Where rigid contacts ask of a grain what no velocity can satisfy (a plate presses it into a
/// wall), a step has no solution. One such step may pass; three running end the run, whichever
/// grains are the worst of them: what their contacts bear has no meaning.

#include <span>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/step/impact.hpp"
#include "scree/step/worst_contact.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// Steps without a solution, running, that end a run.
inline constexpr std::int64_t kMostInfeasibleSteps = 3;

/// Counts a step among the @p infeasible ones running, or ends their count. @returns what is to be
/// told of the worst grain where they are too many, else nothing: the same on every rank.
/// Collective.
std::string fault_of_wedges(std::int64_t& infeasible, const ContactProblem& problem,
                            const Store& store, ContactView contacts,
                            std::span<const ToolSpec> tools, const ImpactResult& result);

}  // namespace scree
