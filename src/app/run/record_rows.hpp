#pragma once

/// Rows for a checkpoint that are made of records when they are written.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scree/io/hdf5/number_rows.hpp"

namespace scree {

/// Rows of a group, of which @p write makes each of what @p at gives for its number.
template <class T, class At, class Write>
NumberRows rows_of_each(const char* name, const char* unit, int width, std::size_t count, At at,
                        Write write) {
  return rows_by<T>(
      name, unit, width, static_cast<std::int64_t>(count),
      [at, write](std::int64_t row, T* to) { write(at(static_cast<std::size_t>(row)), to); });
}

/// Rows of a group, of which @p write makes each of one of @p records, which must live as long.
template <class T, class Record, class Write>
NumberRows rows_of_records(const char* name, const char* unit, int width,
                           std::span<const Record> records, Write write) {
  const auto at = [records](std::size_t i) -> const Record& { return records[i]; };
  return rows_of_each<T>(name, unit, width, records.size(), at, write);
}

/// Copies @p numbers, and gives the address behind the last one.
template <class T>
T* put(const auto& numbers, T* to) {
  return std::copy(numbers.begin(), numbers.end(), to);
}

}  // namespace scree
