#include "scree/step/end_overlap.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"

namespace scree {

std::optional<WorstContact> unsolved_pair(MPI_Comm comm, const EndOverlap& overlap,
                                          const Store& bodies, ContactView contacts) {
  if (!overlap.leaves_unsolved || overlap.id_a < 0) return std::nullopt;
  const int size = size_of(comm);
  WorstContact pair{.key = {.id_a = overlap.id_a, .id_b = overlap.id_b}};
  int rank = 2 * size;  // those that have a contact of the pair come before the owner of A
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    if (bodies.id[slot] != overlap.id_a) continue;
    pair.where = pair.point = bodies.position[slot];
    rank = size + rank_of(comm);
  }
  for (const Contact& contact : contacts) {
    if (contact.key.id_a != overlap.id_a || contact.key.id_b != overlap.id_b) continue;
    pair.where = bodies.position[contact.a];
    pair.point = pair.where + contact.arm_a;
    rank = rank_of(comm);
  }
  const int owner = min_over_ranks(comm, rank) % size;
  SCREE_MPI(MPI_Bcast(&pair, sizeof pair, MPI_BYTE, owner, comm));
  return pair;
}

}  // namespace scree
