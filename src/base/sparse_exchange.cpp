#include "scree/base/sparse_exchange.hpp"

#include <limits>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr int kTag = 7301;

int message_size(const std::vector<std::byte>& bytes) {
  if (!std::in_range<int>(bytes.size())) {
    throw Failure("a message between two ranks exceeds 2 GiB: use more ranks");
  }
  return static_cast<int>(bytes.size());
}

/// Receives one waiting message, if there is one.
void receive_waiting(MPI_Comm comm, RankBytes& incoming) {
  int waiting = 0;
  MPI_Message message{};
  MPI_Status status{};
  SCREE_MPI(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm, &waiting, &message, &status));
  if (!waiting) return;
  int size = 0;
  SCREE_MPI(MPI_Get_count(&status, MPI_BYTE, &size));
  std::vector<std::byte>& bytes = incoming[status.MPI_SOURCE];
  bytes.resize(size);
  SCREE_MPI(MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, &status));
}

}  // namespace

RankBytes sparse_exchange(MPI_Comm comm, const RankBytes& outgoing) {
  const int self = rank_of(comm);
  RankBytes incoming;
  std::vector<MPI_Request> sends;
  for (const auto& [rank, bytes] : outgoing) {
    if (rank == self) {
      incoming[self] = bytes;
      continue;
    }
    sends.emplace_back();
    SCREE_MPI(
        MPI_Issend(bytes.data(), message_size(bytes), MPI_BYTE, rank, kTag, comm, &sends.back()));
  }
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool in_barrier = false;
  for (int done = 0; !done;) {
    receive_waiting(comm, incoming);
    if (in_barrier) {
      SCREE_MPI(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE));
    } else {
      int sent = 0;
      SCREE_MPI(
          MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE));
      if (sent) {
        SCREE_MPI(MPI_Ibarrier(comm, &barrier));
        in_barrier = true;
      }
    }
  }
  // A rank that is already in the next exchange must not be heard by one that is still in this
  // loop.
  SCREE_MPI(MPI_Barrier(comm));
  return incoming;
}

}  // namespace scree
