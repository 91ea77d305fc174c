#pragma once

/// The contact, or the row of another source, that a solution satisfies least: where to look when a
/// step is not solved.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/joints/joint_frame.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/step/row_source.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// A cone of a source of rows (step/row_source.hpp).
struct SourceCone {
  std::int32_t source = -1;  ///< place in Setup::sources; -1: none
  std::int64_t key = 0;      ///< GivenCone::key
};

/// The contact that is furthest from its law, of which A is a grain; or the cone that is.
struct WorstContact {
  double velocity_error = 0.0;  ///< |w_i|/rho_i, m/s; 0 where no contact has one
  ContactKey key{};
  Vec3 where = Vec3::Zero();  ///< centre of A, m
  Vec3 point = Vec3::Zero();  ///< of the contact, m
  SourceCone cone{};          ///< in its place

  bool is_contact() const { return cone.source < 0; }
};

/// Over all ranks, the same on every rank; rows of other sources than contacts are not looked at.
/// Collective. @pre @p contacts are those of @p problem.
WorstContact worst_contact(const ContactProblem& problem, const Store& store, ContactView contacts,
                           Vec lambda);

/// The worst of contacts and of the cones of @p sourced, which come behind them. Collective.
WorstContact worst_of_all(const ContactProblem& problem, const Store& store, ContactView contacts,
                          const SourcedRows& sourced, Vec lambda);

/// `grain 17`, or the name of the wall or tool that has the id.
std::string name_of_body(std::int64_t id, std::span<const ToolSpec> tools);

/// `the contact of grain 17 and floor at (0.1, 0, 0.2) m`
std::string in_words(const WorstContact& worst, std::span<const ToolSpec> tools);

/// The name of a cone by its source: `joint pin`. @pre it is one of a source of @p sources
std::string name_of_cone(const SourceCone& cone, std::span<const JointFrame> joints,
                         std::span<const std::shared_ptr<const RowSource>> sources);

}  // namespace scree
