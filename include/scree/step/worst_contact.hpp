#pragma once

/// The contact that a solution satisfies least: where to look when a step is not solved.

#include <span>
#include <string>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// The contact that is furthest from its law. Its A is a grain.
struct WorstContact {
  double velocity_error = 0.0;  ///< |w_i|/rho_i, m/s; 0 where no contact has one
  ContactKey key;
  Vec3 where = Vec3::Zero();  ///< centre of A, m
  Vec3 point = Vec3::Zero();  ///< of the contact, m
};

/// Over all ranks, the same on every rank; rows of other sources than contacts are not looked at.
/// Collective. @pre @p contacts are those of @p problem.
WorstContact worst_contact(const ContactProblem& problem, const Store& store,
                           std::span<const Contact> contacts, Vec lambda);

/// `grain 17`, or the name of the wall or tool that has the id.
std::string name_of_body(std::int64_t id, std::span<const ToolSpec> tools);

/// `the contact of grain 17 and floor at (0.1, 0, 0.2) m`
std::string in_words(const WorstContact& worst, std::span<const ToolSpec> tools);

}  // namespace scree
