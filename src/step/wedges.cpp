#include "scree/step/wedges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "scree/base/parallel.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

std::string name_of(std::int64_t id, std::span<const ToolSpec> tools) {
  return id < kFirstToolId ? fmt::format("grain {}", id) : tools[id - kFirstToolId].name;
}

/// Every body that the grain @p id has a contact with on any rank, by name, with commas. Collective.
std::string neighbours_of(MPI_Comm comm, std::int64_t id, std::span<const Contact> contacts,
                          std::span<const ToolSpec> tools) {
  std::vector<std::int64_t> own;
  for (const Contact& contact : contacts) {
    if (contact.key.id_a == id) own.push_back(contact.key.id_b);
    if (contact.key.id_b == id) own.push_back(contact.key.id_a);
  }
  std::vector<std::string> names;
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t last = -1;
       last < kNone;) {  // the next larger id of any rank, one after another
    std::int64_t next = kNone;
    for (const std::int64_t other : own) next = other > last ? std::min(next, other) : next;
    last = min_over_ranks(comm, next);
    if (last < kNone) names.push_back(name_of(last, tools));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

WorstContact worst_contact(const ContactProblem& problem, const Store& store,
                           std::span<const Contact> contacts, Vec lambda) {
  const std::vector<double>& rho = cone_scales(problem);
  WorstContact worst;
  for_each_natural_point(problem, lambda,
                         [&](std::size_t number, const auto& impulse, const auto& at) {
                           const double error = (impulse - at.image).norm() / rho[number];
                           if (!(error > worst.velocity_error)) return;
                           const Contact& contact = contacts[number];
                           worst = {error, contact.key, store.position[contact.a]};
                         });
  const double largest = max_over_ranks(problem.comm, worst.velocity_error);
  const int mine = worst.velocity_error == largest ? rank_of(problem.comm) : size_of(problem.comm);
  const int owner = min_over_ranks(problem.comm, mine);
  SCREE_MPI(MPI_Bcast(&worst, sizeof worst, MPI_BYTE, owner, problem.comm));
  return worst;
}

std::string fault_of_wedges(std::int64_t& infeasible, const ContactProblem& problem,
                            const Store& store, std::span<const Contact> contacts,
                            std::span<const ToolSpec> tools, const ImpactResult& result) {
  infeasible = result.report.status == Status::infeasible ? infeasible + 1 : 0;
  if (infeasible < kMostInfeasibleSteps) return {};
  const WorstContact worst = worst_contact(problem, store, contacts, result.impulse.get());
  const std::int64_t grain = worst.key.id_a;
  return fmt::format(
      "grain {} at ({:.6g}, {:.6g}, {:.6g}) m is wedged: for {} steps no velocity has satisfied "
      "all "
      "contacts, least of all its own with {}, which close at {:.3g} m/s; leave it room, let the "
      "tool keep off, or give the materials a young_modulus, so that contacts yield",
      grain, worst.where.x(), worst.where.y(), worst.where.z(), infeasible,
      neighbours_of(problem.comm, grain, contacts, tools), worst.velocity_error);
}

}  // namespace scree
