#include "overlap.hpp"

#include <fmt/format.h>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"

namespace scree {
namespace {

/// A body that any rank can name.
struct Named {
  std::int64_t id = 0;
  std::int64_t group = 0;
};

std::string in_words(const Named& body, const RunConfig& config) {
  if (body.id >= kFirstToolId) return fmt::format("tool {}", config.tools[body.group].name);
  return fmt::format("grain {} of {}", body.id, config.population_names()[body.group]);
}

/// The body in @p slot of the one rank that @p reports. Collective.
Named named(MPI_Comm comm, bool reports, const Store& store, std::int32_t slot) {
  return {sum_over_ranks(comm, reports ? store.id[slot] : 0),
          sum_over_ranks(comm, reports ? std::int64_t{store.group[slot]} : 0)};
}

}  // namespace

std::string overlap_at_start(Simulation& simulation) {
  const MPI_Comm comm = simulation.comm();
  const Penetration mine = penetration(simulation.store(), simulation.find_contacts());
  const double worst = max_over_ranks(comm, mine.relative);
  if (worst <= kNotableOverlap) return {};
  const int rank = rank_of(comm);
  const bool reports = rank == min_over_ranks(comm, mine.relative == worst ? rank : size_of(comm));
  const Named a = named(comm, reports, simulation.store(), mine.a);
  const Named b = named(comm, reports, simulation.store(), mine.b);
  const double depth = sum_over_ranks(comm, reports ? mine.depth : 0.0);
  return fmt::format(
      "bodies overlap at the start: at worst {} and {}, by {:.3g} m, {:.1f} % of a radius; place "
      "them apart: rigid ones are moved as far as there is room, springs and overdamped bodies "
      "part at contact.recovery_speed",
      in_words(a, simulation.config()), in_words(b, simulation.config()), depth, 100.0 * worst);
}

}  // namespace scree
