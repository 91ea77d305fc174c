#include "wedges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// Every body that the grain @p id has a contact with on any rank, by name, with commas.
/// Collective.
std::string neighbours_of(MPI_Comm comm, std::int64_t id, ContactView contacts,
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
    if (last < kNone) names.push_back(name_of_body(last, tools));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string fault_of_wedges(std::int64_t& infeasible, const ContactProblem& problem,
                            const Store& store, ContactView contacts,
                            std::span<const ToolSpec> tools, const ImpactResult& result) {
  const Status status = result.report.status;
  const bool wedged = status == Status::infeasible || status == Status::unbounded;
  infeasible = wedged ? infeasible + 1 : 0;
  if (infeasible < kMostInfeasibleSteps) return {};
  const WorstContact worst = worst_contact(problem, store, contacts, result.impulse.get());
  if (!(worst.velocity_error > 0.0)) {
    return fmt::format(
        "for {} steps all contacts were satisfied, but no velocity has satisfied the rows of "
        "other sources",
        infeasible);
  }
  const std::int64_t grain = worst.key.id_a;
  const char* const found = status == Status::infeasible
                                ? "no velocity has satisfied"
                                : "no method has found a velocity that satisfies";
  return fmt::format(
      "grain {} at ({:.6g}, {:.6g}, {:.6g}) m is wedged: for {} steps {} all contacts, least of "
      "all its own with {}, which close at {:.3g} m/s; leave it room, let the tool keep off, or "
      "give the materials a young_modulus, so that contacts yield",
      grain, worst.where.x(), worst.where.y(), worst.where.z(), infeasible, found,
      neighbours_of(problem.comm, grain, contacts, tools), worst.velocity_error);
}

}  // namespace scree
