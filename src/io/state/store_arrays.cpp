#include "scree/io/state/store_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "scree/base/check.hpp"
#include "shape_numbers.hpp"

namespace scree {
namespace {

template <class T>
inline constexpr bool kIsNumber =
    std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint8_t>;

/// How a value is written as `width` numbers.
template <class T>
struct Flat {
  static_assert(kIsNumber<T>, "say how a field of this type is written to a checkpoint");
  using Number = T;
  static constexpr int kWidth = 1;
  static void write(const T& value, Number* to) { *to = value; }
  static T read(const Number* from) { return *from; }
};

template <class T, int width>
struct FlatDoubles {
  using Number = double;
  static constexpr int kWidth = width;
  static_assert(sizeof(T) == width * sizeof(double));
  static void write(const T& value, double* to) {
    std::memcpy(to, static_cast<const void*>(&value), sizeof(T));
  }
  static T read(const double* from) {
    T value;
    std::memcpy(static_cast<void*>(&value), from, sizeof(T));
    return value;
  }
};
template <>
struct Flat<Vec3i> {
  using Number = std::int32_t;
  static constexpr int kWidth = 3;
  static void write(const Vec3i& value, Number* to) { std::copy(value.begin(), value.end(), to); }
  static Vec3i read(const Number* from) { return Vec3i(from); }
};
template <>
struct Flat<Vec3> : FlatDoubles<Vec3, 3> {};
template <>
struct Flat<Quat> : FlatDoubles<Quat, 4> {};
template <>
struct Flat<Box3> : FlatDoubles<Box3, 6> {};

template <>
struct Flat<Shape> {
  using Number = double;
  static constexpr int kWidth = kShapeNumbers;
  static void write(const Shape& shape, double* to) { write_shape(shape, to); }
  static Shape read(const double* from) { return read_shape(from); }
};

template <class T>
NumberRows rows_of(const FieldInfo& info, std::span<const T> field) {
  using F = Flat<T>;
  return rows_by<typename F::Number>(std::string(info.name), std::string(info.unit), F::kWidth,
                                     std::ssize(field),
                                     [field](std::int64_t row, typename F::Number* to) {
                                       F::write(field[static_cast<std::size_t>(row)], to);
                                     });
}

/// The values of the field that @p info describes. @throws InputError
template <class T>
const auto& values_of(const FieldInfo& info, std::span<const NumberArray> arrays,
                      std::int64_t rows) {
  using Values = std::vector<typename Flat<T>::Number>;
  const auto array = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const NumberArray& a) { return a.name == info.name; });
  const Values* values = array == arrays.end() ? nullptr : std::get_if<Values>(&array->values);
  if (values == nullptr || array->width != Flat<T>::kWidth || array->rows() != rows) {
    throw InputError(
        fmt::format("the array {} is missing or of another kind: another version of scree wrote it",
                    info.name));
  }
  return *values;
}

}  // namespace

std::vector<NumberRows> store_rows(const Store& store, std::int32_t begin, std::int32_t end) {
  std::vector<NumberRows> rows;
  for_each_field(store, [&]<class T>(const FieldInfo& info, const std::vector<T>& field) {
    if (!info.saved) return;
    rows.push_back(rows_of(info, std::span<const T>(field).subspan(begin, end - begin)));
  });
  return rows;
}

std::int32_t append_arrays(Store& store, std::span<const NumberArray> arrays) {
  const std::int64_t rows = arrays.empty() ? 0 : arrays.front().rows();
  const std::size_t first = store.size();
  resize(store, static_cast<std::int32_t>(store.size() + rows));
  for_each_field(store, [&]<class T>(const FieldInfo& info, std::vector<T>& field) {
    if (!info.saved) return;
    const auto& values = values_of<T>(info, arrays, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      field[first + i] = Flat<T>::read(&values[i * Flat<T>::kWidth]);
    }
  });
  return static_cast<std::int32_t>(rows);
}

}  // namespace scree
