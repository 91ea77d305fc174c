#pragma once

/// Rows for a checkpoint that are made of records when they are written.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

#include "scree/io/hdf5/number_rows.hpp"

namespace scree {

/// Rows of a group, of which @p write makes each of one of @p records, which must live as long.
template <class T, class Record, class Write>
NumberRows rows_of_records(const char* name, const char* unit, int width,
                           std::span<const Record> records, Write write) {
  return rows_by<T>(name, unit, width, std::ssize(records),
                    [records, write](std::int64_t row, T* to) {
                      write(records[static_cast<std::size_t>(row)], to);
                    });
}

/// Copies @p numbers, and gives the address behind the last one.
template <class T>
T* put(const auto& numbers, T* to) {
  return std::copy(numbers.begin(), numbers.end(), to);
}

}  // namespace scree
