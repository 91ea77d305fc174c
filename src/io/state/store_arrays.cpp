#include "scree/io/state/store_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"

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

/// A shape as its parameters, which are numbers of type double; a struct that holds others says
/// here how these become such numbers.
template <class S>
struct AsDoubles {
  static_assert(std::is_empty_v<S> ||
                    (std::is_trivially_copyable_v<S> && sizeof(S) % sizeof(double) == 0),
                "a shape's parameters are numbers of type double");
  static constexpr int kCount = std::is_empty_v<S> ? 0 : sizeof(S) / sizeof(double);
  static void write(const S& s, double* to) {
    if constexpr (kCount > 0) std::memcpy(to, static_cast<const void*>(&s), sizeof(S));
  }
  static S read(const double* from) {
    S s;
    if constexpr (kCount > 0) std::memcpy(static_cast<void*>(&s), from, sizeof(S));
    return s;
  }
};
/// A struct of a handle and another number.
template <class S, auto kOther>
struct HandleAsDoubles {
  static constexpr int kCount = 2;
  static void write(const S& s, double* to) {
    to[0] = s.handle;
    to[1] = s.*kOther;
  }
  static S read(const double* from) {
    S s;
    s.handle = static_cast<std::int32_t>(from[0]);
    s.*kOther = static_cast<std::remove_cvref_t<decltype(s.*kOther)>>(from[1]);
    return s;
  }
};
template <>
struct AsDoubles<Polyhedron> : HandleAsDoubles<Polyhedron, &Polyhedron::scale> {};
template <>
struct AsDoubles<Mesh> : HandleAsDoubles<Mesh, &Mesh::is_sheet> {};

using ShapeIndices = std::make_index_sequence<kShapeTypes>;

template <std::size_t... I>
constexpr int most_parameters(std::index_sequence<I...>) {
  return std::max({AsDoubles<std::tuple_element_t<I, ShapeTypes>>::kCount...});
}

template <std::size_t I>
void read_shape_as(const double* from, Shape& shape) {
  using S = std::tuple_element_t<I, ShapeTypes>;
  if (from[0] == static_cast<double>(I)) shape = AsDoubles<S>::read(from + 1);
}

template <std::size_t... I>
Shape read_shape(const double* from, std::index_sequence<I...>) {
  Shape shape;
  (read_shape_as<I>(from, shape), ...);
  return shape;
}

template <>
struct Flat<Shape> {
  using Number = double;
  static constexpr int kWidth = 1 + most_parameters(ShapeIndices());
  static void write(const Shape& shape, double* to) {
    std::fill_n(to, kWidth, 0.0);
    to[0] = static_cast<double>(shape.number());
    visit([to]<class S>(const S& s) { AsDoubles<S>::write(s, to + 1); }, shape);
  }
  static Shape read(const double* from) { return read_shape(from, ShapeIndices()); }
};

template <class T>
NumberArray array_of(const FieldInfo& info, std::span<const T> field) {
  using F = Flat<T>;
  std::vector<typename F::Number> values(field.size() * F::kWidth);
  for (std::size_t i = 0; i < field.size(); ++i) F::write(field[i], &values[i * F::kWidth]);
  return {std::string(info.name), std::string(info.unit), F::kWidth, std::move(values)};
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

std::vector<NumberArray> store_arrays(const Store& store, std::int32_t begin, std::int32_t end) {
  std::vector<NumberArray> arrays;
  for_each_field(store, [&]<class T>(const FieldInfo& info, const std::vector<T>& field) {
    if (!info.saved) return;
    arrays.push_back(array_of(info, std::span<const T>(field).subspan(begin, end - begin)));
  });
  return arrays;
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
