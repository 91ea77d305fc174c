#pragma once

/// Things with global numbers, a range of which each rank owns, and the exchange of their values.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"

namespace scree::fclib {

/// Which numbers each rank owns: ranges in the order of the ranks.
struct Shares {
  std::vector<std::int64_t> first{0, 0};  ///< first number of each rank, and the end of all
  int rank = 0;                           ///< this one

  std::int64_t begin() const { return first[rank]; }
  std::int64_t end() const { return first[rank + 1]; }
  std::int64_t count() const { return end() - begin(); }
  std::int64_t total() const { return first.back(); }
  bool owns(std::int64_t number) const { return number >= begin() && number < end(); }
  /// @pre 0 <= number < total()
  int owner(std::int64_t number) const {
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), number) - first.begin()) -
           1;
  }
  /// Shares of the parts of things that have @p parts each.
  Shares of_parts(int parts) const;
};

/// Shares of @p count things as even as whole pieces of @p unit allow. Not collective.
Shares even_shares(MPI_Comm comm, std::int64_t count, int unit = 1);
/// Shares of which this rank has @p count. Collective.
Shares shares_of(MPI_Comm comm, std::int64_t count);

/// The numbers of this rank's range.
std::vector<std::int32_t> counting(const Shares& shares);

/// Sends each of @p records to the rank that @p to names; gives those that came here, by sender.
/// Collective.
template <class Record, class To>
std::vector<Record> send(MPI_Comm comm, const std::vector<Record>& records, To&& to) {
  RankBytes outgoing;
  for (const Record& record : records) append_record(outgoing[to(record)], record);
  std::vector<Record> received;
  for (const auto& [from, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, received);
  return received;
}

/// The values at the numbers @p wanted, of which owners hold those of their ranges in @p mine.
/// Collective.
template <class T>
std::vector<T> fetch(MPI_Comm comm, const Shares& shares, const std::vector<T>& mine,
                     const std::vector<std::int32_t>& wanted) {
  std::vector<std::int32_t> foreign;
  for (const std::int32_t number : wanted) {
    if (!shares.owns(number)) foreign.push_back(number);
  }
  std::sort(foreign.begin(), foreign.end());
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  RankBytes questions;
  for (const std::int32_t number : foreign) append_record(questions[shares.owner(number)], number);
  RankBytes answers;
  for (const auto& [from, bytes] : sparse_exchange(comm, questions)) {
    std::vector<std::int32_t> asked;
    read_records(bytes, asked);
    for (const std::int32_t number : asked) {
      append_record(answers[from], mine[number - shares.begin()]);
    }
  }
  std::vector<T> values;  // of the foreign numbers, which ascend with their owners
  for (const auto& [from, bytes] : sparse_exchange(comm, answers)) read_records(bytes, values);
  std::vector<T> result;
  result.reserve(wanted.size());
  for (const std::int32_t number : wanted) {
    if (shares.owns(number)) {
      result.push_back(mine[number - shares.begin()]);
    } else {
      const auto at = std::lower_bound(foreign.begin(), foreign.end(), number);
      result.push_back(values[at - foreign.begin()]);
    }
  }
  return result;
}

/// The values of this rank's range, of which any rank may bring some: @p values[k] is that of @p
/// numbers[k]. @p nothing where none has been brought. Collective.
template <class T>
std::vector<T> deliver(MPI_Comm comm, const Shares& shares,
                       const std::vector<std::int32_t>& numbers, const std::vector<T>& values,
                       T nothing) {
  struct Numbered {
    std::int32_t number;
    T value;
  };
  std::vector<Numbered> records(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) records[k] = {numbers[k], values[k]};
  std::vector<T> result(shares.count(), nothing);
  const auto to = [&shares](const Numbered& record) { return shares.owner(record.number); };
  for (const Numbered& record : send(comm, records, to)) {
    result[record.number - shares.begin()] = record.value;
  }
  return result;
}

}  // namespace scree::fclib
