#include "scree/base/parallel.hpp"

#include <numeric>

namespace scree {
namespace {

std::string broadcast_from(MPI_Comm comm, std::string text, int root) {
  auto length = static_cast<int>(text.size());
  SCREE_MPI(MPI_Bcast(&length, 1, MPI_INT, root, comm));
  text.resize(length);
  SCREE_MPI(MPI_Bcast(text.data(), length, MPI_CHAR, root, comm));
  return text;
}

}  // namespace

std::vector<std::int64_t> gathered_over_ranks(MPI_Comm comm, std::int64_t value) {
  std::vector<std::int64_t> all(size_of(comm));
  SCREE_MPI(MPI_Allgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm));
  return all;
}

std::vector<std::int64_t> joined_over_ranks(MPI_Comm comm,
                                            const std::vector<std::int64_t>& values) {
  const auto mine = static_cast<int>(values.size());
  std::vector<int> counts(size_of(comm));
  SCREE_MPI(MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm));
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::vector<std::int64_t> all(static_cast<std::size_t>(places.back() + counts.back()));
  SCREE_MPI(MPI_Allgatherv(values.data(), mine, MPI_INT64_T, all.data(), counts.data(),
                           places.data(), MPI_INT64_T, comm));
  return all;
}

std::string first_text(MPI_Comm comm, const std::string& text) {
  const int none = size_of(comm);
  const int speaker = min_over_ranks(comm, text.empty() ? none : rank_of(comm));
  return speaker == none ? std::string() : broadcast_from(comm, text, speaker);
}

std::string broadcast(MPI_Comm comm, std::string text) {
  return broadcast_from(comm, std::move(text), 0);
}

void refuse_together(MPI_Comm comm, const std::string& error) {
  if (const std::string text = first_text(comm, error); !text.empty()) throw InputError(text);
}

void fail_together(MPI_Comm comm, const std::string& error) {
  if (const std::string text = first_text(comm, error); !text.empty()) throw Failure(text);
}

}  // namespace scree
