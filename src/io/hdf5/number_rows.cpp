#include "scree/io/hdf5/number_rows.hpp"

#include <algorithm>
#include <vector>

namespace scree {

NumberRows rows_of(const NumberArray& array) {
  NumberRows rows{array.name, array.unit, array.width, array.rows(), {}};
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        rows.make = MakeRows<T>(
            [all = std::span(values), width = array.width](std::int64_t first, std::span<T> part) {
              std::ranges::copy(all.subspan(static_cast<std::size_t>(first * width), part.size()),
                                part.begin());
            });
      },
      array.values);
  return rows;
}

NumberRows in_single(const NumberRows& rows) {
  const auto* make = std::get_if<MakeRows<double>>(&rows.make);
  if (make == nullptr) return rows;
  MakeRows<float> rounded = [exact = *make, width = rows.width](std::int64_t first,
                                                                std::span<float> values) {
    constexpr std::size_t kRows = 1024;  // at a time, which stay in the cache
    const std::size_t most = kRows * static_cast<std::size_t>(width);
    std::vector<double> numbers(std::min(most, values.size()));
    for (; !values.empty(); first += kRows) {
      const std::span<double> part = std::span(numbers).first(std::min(most, values.size()));
      exact(first, part);
      std::ranges::transform(part, values.begin(),
                             [](double number) { return static_cast<float>(number); });
      values = values.subspan(part.size());
    }
  };
  return {rows.name, rows.unit, rows.width, rows.rows, std::move(rounded)};
}

}  // namespace scree
