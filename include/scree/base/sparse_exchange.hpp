#pragma once

/// Messages to a few ranks by ranks that do not know who will write to them.

#include <mpi.h>

#include <cstddef>
#include <map>
#include <vector>

namespace scree {

/// Bytes for (or from) each rank, by rank. Ranks without bytes have no entry.
using RankBytes = std::map<int, std::vector<std::byte>>;

/// Sends @p outgoing and returns what came in, by sender. Collective. Messages are as many as there
/// are pairs of ranks that have something to say; nobody holds anything of the size of the
/// communicator (Hoefler, Siebert, Lumsdaine: Scalable Communication Protocols for Dynamic Sparse
/// Data Exchange, PPoPP 2010, algorithm NBX). A rank may write to itself.
RankBytes sparse_exchange(MPI_Comm comm, const RankBytes& outgoing);

}  // namespace scree
