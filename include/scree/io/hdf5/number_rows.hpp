#pragma once

/// Rows of plain numbers that are made when they are written, so that memory holds no copy of what
/// they are made of: some at a time; where they are deflated, one array at a time.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "scree/io/hdf5/number_array.hpp"

namespace scree {

/// Fills `values` with the rows from `first` on, row by row.
template <class T>
using MakeRows = std::function<void(std::int64_t first, std::span<T> values)>;

/// Arrays that are not there yet. What they are made of must live as long.
struct NumberRows {
  std::string name;
  std::string unit;
  int width = 1;
  std::int64_t rows = 0;
  std::variant<MakeRows<double>, MakeRows<std::int64_t>, MakeRows<std::int32_t>,
               MakeRows<std::uint8_t>, MakeRows<float>>
      make;

  /// Bytes of one number.
  int precision() const {
    return std::visit([]<class T>(const MakeRows<T>&) { return static_cast<int>(sizeof(T)); },
                      make);
  }
};

/// Rows of which @p write makes each: `write(row, address of its first number)`.
template <class T, class WriteRow>
NumberRows rows_by(std::string name, std::string unit, int width, std::int64_t rows,
                   WriteRow write) {
  MakeRows<T> make = [width, write = std::move(write)](std::int64_t first, std::span<T> values) {
    const auto n = static_cast<std::int64_t>(values.size()) / width;
    for (std::int64_t i = 0; i < n; ++i)
      write(first + i, &values[static_cast<std::size_t>(i * width)]);
  };
  return {std::move(name), std::move(unit), width, rows, std::move(make)};
}

/// The rows of @p array, which must live as long.
NumberRows rows_of(const NumberArray& array);
NumberRows rows_of(const NumberArray&& array) = delete;

/// The numbers of @p rows, those in double precision in single.
NumberRows in_single(const NumberRows& rows);

}  // namespace scree
