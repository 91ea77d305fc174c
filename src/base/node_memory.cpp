#include "scree/base/node_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr std::size_t kAlignment = 64;

int free_window(MPI_Comm /*self*/, int /*keyval*/, void* window, void* /*state*/) {
  auto* const own = static_cast<MPI_Win*>(window);
  const int result = MPI_Win_free(own);
  delete own;
  return result;
}

/// Frees @p window where MPI_Finalize begins: what hangs on MPI_COMM_SELF is let go of then, the
/// latest first, alike on all ranks.
void free_at_the_end(MPI_Win window) {
  int keyval = MPI_KEYVAL_INVALID;
  SCREE_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_window, &keyval, nullptr));
  SCREE_MPI(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, new MPI_Win(window)));
  SCREE_MPI(MPI_Comm_free_keyval(&keyval));
}

/// A window of @p bytes of this rank. @throws Failure
MPI_Win window_of(MPI_Comm node, MPI_Aint bytes) {
  MPI_Win window = MPI_WIN_NULL;
  void* own = nullptr;
  if (MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node, static_cast<void*>(&own), &window) ==
      MPI_SUCCESS) {
    return window;
  }
  throw Failure(fmt::format(
      "there are no {} MB of memory that ranks may share; give more (Open MPI has it in "
      "/dev/shm, whose room `docker run --shm-size` sets, or in the folder "
      "OMPI_MCA_osc_sm_backing_directory), or start one rank",
      bytes / 1000000 + 1));
}

/// The first address in @p window that is aligned, the same memory on all ranks of the node.
std::byte* aligned_begin(MPI_Win window) {
  MPI_Aint bytes = 0;
  int unit = 0;
  void* begin = nullptr;
  SCREE_MPI(MPI_Win_shared_query(window, 0, &bytes, &unit, static_cast<void*>(&begin)));
  auto room = static_cast<std::size_t>(bytes);
  return static_cast<std::byte*>(std::align(kAlignment, 1, begin, room));
}

/// Gives each rank of @p comm what rank 0 has at @p begin.
void broadcast_bytes(MPI_Comm comm, std::byte* begin, std::int64_t n) {
  constexpr std::int64_t kMost = 1 << 30;  // MPI counts by 32 bits
  for (std::int64_t at = 0; at < n; at += kMost) {
    const auto count = static_cast<int>(std::min(kMost, n - at));
    SCREE_MPI(MPI_Bcast(begin + at, count, MPI_BYTE, 0, comm));
  }
}

}  // namespace

std::shared_ptr<const std::byte> once_a_node(MPI_Comm comm, std::span<const std::byte> bytes) {
  auto n = static_cast<std::int64_t>(bytes.size());
  SCREE_MPI(MPI_Bcast(&n, 1, MPI_INT64_T, 0, comm));
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm first_of_nodes = MPI_COMM_NULL;
  SCREE_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_of(comm), MPI_INFO_NULL, &node));
  const bool is_first = rank_of(node) == 0;
  SCREE_MPI(MPI_Comm_split(comm, is_first ? 0 : MPI_UNDEFINED, rank_of(comm), &first_of_nodes));
  MPI_Win window = window_of(node, is_first ? n + static_cast<MPI_Aint>(kAlignment) : 0);
  free_at_the_end(window);
  std::byte* const begin = aligned_begin(window);
  SCREE_MPI(MPI_Win_fence(0, window));
  if (is_first) {
    if (rank_of(comm) == 0) std::ranges::copy(bytes, begin);
    broadcast_bytes(first_of_nodes, begin, n);
    SCREE_MPI(MPI_Comm_free(&first_of_nodes));
  }
  SCREE_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, window));
  SCREE_MPI(MPI_Comm_free(&node));
  return {begin, [](const std::byte*) {}};
}

}  // namespace scree
