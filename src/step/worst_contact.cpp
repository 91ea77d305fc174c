#include "scree/step/worst_contact.hpp"

#include <fmt/format.h>

#include "scree/base/parallel.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {

WorstContact worst_contact(const ContactProblem& problem, const Store& store,
                           std::span<const Contact> contacts, Vec lambda) {
  const std::vector<double>& rho = cone_scales(problem);
  WorstContact worst;
  for_each_natural_point(problem, lambda,
                         [&](std::size_t number, const auto& impulse, const auto& at) {
                           if (number >= contacts.size()) return;  // a row of another source
                           const double error = (impulse - at.image).norm() / rho[number];
                           if (!(error > worst.velocity_error)) return;
                           const Contact& contact = contacts[number];
                           worst = {error, contact.key, store.position[contact.a],
                                    store.position[contact.a] + contact.arm_a};
                         });
  const double largest = max_over_ranks(problem.comm, worst.velocity_error);
  const int mine = worst.velocity_error == largest ? rank_of(problem.comm) : size_of(problem.comm);
  const int owner = min_over_ranks(problem.comm, mine);
  SCREE_MPI(MPI_Bcast(&worst, sizeof worst, MPI_BYTE, owner, problem.comm));
  return worst;
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
