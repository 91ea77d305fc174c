#pragma once

/// Grains that have nowhere to go.
///
/// Where rigid contacts ask of a grain what no velocity can satisfy (a plate presses it into a wall), a step has
/// no solution. One such step may pass; three running end the run, whichever grains are the worst of them: what their
/// contacts bear has no meaning.

#include <span>
#include <string>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/step/impact.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// The contact that is furthest from its law. Its A is a grain.
struct WorstContact {
  double velocity_error = 0.0;  ///< |w_i|/rho_i, m/s
  ContactKey key;
  Vec3 where = Vec3::Zero();  ///< centre of A, m
};

/// Over all ranks, the same on every rank. Collective. @pre @p contacts are those of @p problem.
WorstContact worst_contact(const ContactProblem& problem, const Store& store,
                           std::span<const Contact> contacts, Vec lambda);

/// Steps without a solution, running, that end a run.
inline constexpr std::int64_t kMostInfeasibleSteps = 3;

/// Counts a step among the @p infeasible ones running, or ends their count. @returns what is to be told of the worst
/// grain where they are too many, else nothing: the same on every rank. Collective.
std::string fault_of_wedges(std::int64_t& infeasible, const ContactProblem& problem,
                            const Store& store, std::span<const Contact> contacts,
                            std::span<const ToolSpec> tools, const ImpactResult& result);

}  // namespace scree
