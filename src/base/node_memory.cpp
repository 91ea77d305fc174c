#include "scree/base/node_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

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

std::string words_of(int error) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

/// A window of @p bytes, all of them the first rank's. @throws Failure
MPI_Win window_of(MPI_Comm node, MPI_Aint bytes) {
  MPI_Win window = MPI_WIN_NULL;
  void* own = nullptr;
  const int error = MPI_Win_allocate_shared(rank_of(node) == 0 ? bytes : 0, 1, MPI_INFO_NULL, node,
                                            static_cast<void*>(&own), &window);
  if (error == MPI_SUCCESS) return window;
  throw Failure(fmt::format(
      "{} MB of memory that ranks share could not be had ({}); give more (Open MPI has it in "
      "/dev/shm, whose room `docker run --shm-size` sets, or in the folder "
      "OMPI_MCA_osc_sm_backing_directory), or start one rank",
      bytes / 1000000 + 1, words_of(error)));
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
void broadcast_bytes(MPI_Comm comm, std::byte* begin, std::int64_t n, std::int64_t piece) {
  for (std::int64_t at = 0; at < n; at += piece) {
    const auto count = static_cast<int>(std::min(piece, n - at));
    SCREE_MPI(MPI_Bcast(begin + at, count, MPI_BYTE, 0, comm));
  }
}

}  // namespace

std::shared_ptr<const std::byte> once_a_node(MPI_Comm comm, std::span<const std::byte> bytes) {
  constexpr std::int64_t kMost = 1 << 30;  // MPI counts by 32 bits
  MPI_Comm node = MPI_COMM_NULL;
  SCREE_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_of(comm), MPI_INFO_NULL, &node));
  std::shared_ptr<const std::byte> held = once_a_group(comm, node, bytes, kMost);
  SCREE_MPI(MPI_Comm_free(&node));
  return held;
}

std::shared_ptr<const std::byte> once_a_group(MPI_Comm comm, MPI_Comm group,
                                              std::span<const std::byte> bytes,
                                              std::int64_t piece) {
  auto n = static_cast<std::int64_t>(bytes.size());
  SCREE_MPI(MPI_Bcast(&n, 1, MPI_INT64_T, 0, comm));
  MPI_Comm first_of_groups = MPI_COMM_NULL;
  const bool is_first = rank_of(group) == 0;
  SCREE_MPI(MPI_Comm_split(comm, is_first ? 0 : MPI_UNDEFINED, rank_of(comm), &first_of_groups));
  MPI_Win window = window_of(group, n + static_cast<MPI_Aint>(kAlignment));
  free_at_the_end(window);
  std::byte* const begin = aligned_begin(window);
  SCREE_MPI(MPI_Win_fence(0, window));
  if (is_first) {
    if (rank_of(comm) == 0) std::ranges::copy(bytes, begin);
    broadcast_bytes(first_of_groups, begin, n, piece);
    SCREE_MPI(MPI_Comm_free(&first_of_groups));
  }
  SCREE_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, window));
  return {begin, [](const std::byte*) {}};
}

}  // namespace scree
