#pragma once

/// The few reductions that the project needs, typed. All are collective on the communicator.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  SCREE_MPI(MPI_Comm_rank(comm, &rank));
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 1;
  SCREE_MPI(MPI_Comm_size(comm, &size));
  return size;
}

namespace detail {
template <class T>
MPI_Datatype mpi_type();
template <>
inline MPI_Datatype mpi_type<int>() {
  return MPI_INT;
}
template <>
inline MPI_Datatype mpi_type<std::int64_t>() {
  return MPI_INT64_T;
}
template <>
inline MPI_Datatype mpi_type<std::uint64_t>() {
  return MPI_UINT64_T;
}
template <>
inline MPI_Datatype mpi_type<double>() {
  return MPI_DOUBLE;
}

template <class T>
T reduce(MPI_Comm comm, T value, MPI_Op op) {
  T result{};
  SCREE_MPI(MPI_Allreduce(&value, &result, 1, mpi_type<T>(), op, comm));
  return result;
}
}  // namespace detail

/// Collective. T is int, std::int64_t, std::uint64_t (whose sums are modulo 2^64) or double.
template <class T>
T sum_over_ranks(MPI_Comm comm, T value) {
  return detail::reduce(comm, value, MPI_SUM);
}
template <class T>
T max_over_ranks(MPI_Comm comm, T value) {
  return detail::reduce(comm, value, MPI_MAX);
}
template <class T>
T min_over_ranks(MPI_Comm comm, T value) {
  return detail::reduce(comm, value, MPI_MIN);
}

/// Collective. Sums @p counts entry by entry over the ranks, in place.
template <std::size_t kCounts>
void sum_over_ranks(MPI_Comm comm, std::array<std::int64_t, kCounts>& counts) {
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(kCounts), MPI_INT64_T,
                          MPI_SUM, comm));
}

/// Collective. Sums @p values entry by entry over the ranks, in place.
inline void sum_over_ranks(MPI_Comm comm, std::vector<double>& values) {
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_SUM, comm));
}

/// Collective. The largest of @p values entry by entry over the ranks, in place.
inline void max_over_ranks(MPI_Comm comm, std::vector<double>& values) {
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_MAX, comm));
}

/// Collective. Sets in @p bits, entry by entry and in place, what is set on any rank.
inline void or_over_ranks(MPI_Comm comm, std::vector<std::uint8_t>& bits) {
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()),
                          MPI_UNSIGNED_CHAR, MPI_BOR, comm));
}

/// Collective. The @p values of all ranks one after another, on every rank.
std::vector<std::int64_t> joined_over_ranks(MPI_Comm comm, const std::vector<std::int64_t>& values);

/// Collective. The @p value of each rank, on every rank.
std::vector<std::int64_t> gathered_over_ranks(MPI_Comm comm, std::int64_t value);

/// Collective. Sum of @p value over the lower ranks; 0 on rank 0.
inline std::int64_t sum_of_lower_ranks(MPI_Comm comm, std::int64_t value) {
  std::int64_t result = 0;
  SCREE_MPI(MPI_Exscan(&value, &result, 1, MPI_INT64_T, MPI_SUM, comm));
  return rank_of(comm) == 0 ? 0 : result;
}

/// Collective. Gives rank 0's text to every rank.
std::string broadcast(MPI_Comm comm, std::string text);

/// Collective. The text of the lowest rank that has one, on every rank; empty where none has.
std::string first_text(MPI_Comm comm, const std::string& text);

/// Collective. When @p error is not empty on any rank, throws on all ranks the InputError of the
/// lowest such rank, so that no rank is left waiting in the next collective call.
void refuse_together(MPI_Comm comm, const std::string& error);
/// Collective. Throws Failure on every rank when @p error of any is not empty: for what fails while
/// running.
void fail_together(MPI_Comm comm, const std::string& error);

}  // namespace scree
