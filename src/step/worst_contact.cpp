#include "scree/step/worst_contact.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

/// The cone with the number @p cone among those of @p sourced.
SourceCone cone_of(const SourcedRows& sourced, std::size_t cone) {
  const auto end = std::ranges::upper_bound(sourced.end, cone);
  return {.source = static_cast<std::int32_t>(end - sourced.end.begin()),
          .key = sourced.rows.key[cone]};
}

/// @p sourced: null where contacts alone are looked at
WorstContact worst_among(const ContactProblem& problem, const Store& store, ContactView contacts,
                         const SourcedRows* sourced, Vec lambda) {
  const std::vector<double>& rho = cone_scales(problem);
  WorstContact worst;
  for_each_natural_point(problem, lambda,
                         [&](std::size_t number, const auto& impulse, const auto& at) {
                           const bool is_contact = number < contacts.size();
                           if (!is_contact && sourced == nullptr) return;
                           const double error = (impulse - at.image).norm() / rho[number];
                           if (!(error > worst.velocity_error)) return;
                           worst = {.velocity_error = error};
                           if (!is_contact) {
                             worst.cone = cone_of(*sourced, number - contacts.size());
                             return;
                           }
                           const Contact& contact = contacts[number];
                           worst.key = contact.key;
                           worst.where = store.position[contact.a];
                           worst.point = worst.where + contact.arm_a;
                         });
  const double largest = max_over_ranks(problem.comm, worst.velocity_error);
  const int mine = worst.velocity_error == largest ? rank_of(problem.comm) : size_of(problem.comm);
  const int owner = min_over_ranks(problem.comm, mine);
  SCREE_MPI(MPI_Bcast(&worst, sizeof worst, MPI_BYTE, owner, problem.comm));
  return worst;
}

}  // namespace

WorstContact worst_contact(const ContactProblem& problem, const Store& store, ContactView contacts,
                           Vec lambda) {
  return worst_among(problem, store, contacts, nullptr, lambda);
}

WorstContact worst_of_all(const ContactProblem& problem, const Store& store, ContactView contacts,
                          const SourcedRows& sourced, Vec lambda) {
  return worst_among(problem, store, contacts, &sourced, lambda);
}

std::string name_of_cone(const SourceCone& cone, std::span<const JointFrame> joints,
                         std::span<const std::shared_ptr<const RowSource>> sources) {
  return sources[static_cast<std::size_t>(cone.source)]->name_of_cone(cone.key, joints);
}

std::string name_of_body(std::int64_t id, std::span<const ToolSpec> tools) {
  return id < kFirstToolId ? fmt::format("grain {}", id) : tools[id - kFirstToolId].name;
}

std::string in_words(const WorstContact& worst, std::span<const ToolSpec> tools) {
  return fmt::format("the contact of {} and {} at ({:.4g}, {:.4g}, {:.4g}) m",
                     name_of_body(worst.key.id_a, tools), name_of_body(worst.key.id_b, tools),
                     worst.point.x(), worst.point.y(), worst.point.z());
}

}  // namespace scree
