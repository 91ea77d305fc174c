#pragma once

/// Messages to a few ranks by ranks that do not know who will write to them.

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <type_traits>
#include <vector>

namespace scree {

/// Bytes for (or from) each rank, by rank. Ranks without bytes have no entry.
using RankBytes = std::map<int, std::vector<std::byte>>;

/// Sends @p outgoing and returns what came in, by sender. Collective. Messages are as many as there
/// are pairs of ranks that have something to say; nobody holds anything of the size of the
/// communicator (Hoefler, Siebert, Lumsdaine: Scalable Communication Protocols for Dynamic Sparse
/// Data Exchange, PPoPP 2010, algorithm NBX). A rank may write to itself.
RankBytes sparse_exchange(MPI_Comm comm, const RankBytes& outgoing);

/// Whether a value of type T is its bytes. Eigen's fixed-size types within it are, though their
/// constructors hide it from the compiler.
template <class T>
inline constexpr bool kIsItsBytes =
    std::is_standard_layout_v<T>&& std::is_trivially_destructible_v<T>;

/// Appends @p record to a message of records of one type.
template <class Record>
void append_record(std::vector<std::byte>& message, const Record& record) {
  static_assert(kIsItsBytes<Record>);
  const auto* first = reinterpret_cast<const std::byte*>(&record);
  message.insert(message.end(), first, first + sizeof(Record));
}

/// Appends the records of @p message to @p records.
template <class Record>
void read_records(const std::vector<std::byte>& message, std::vector<Record>& records) {
  static_assert(kIsItsBytes<Record>);
  const std::size_t first = records.size();
  records.resize(first + message.size() / sizeof(Record));
  std::memcpy(static_cast<void*>(records.data() + first), message.data(), message.size());
}

}  // namespace scree
