#include "field_arrays.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

using Rows = std::vector<NumberRows>;

std::string text(std::string_view view) {
  return std::string(view);
}

/// Rows of a field, of which @p write makes each of one of its values.
template <class T, class Value, class Write>
NumberRows rows_of_field(std::string name, std::string unit, int width,
                         std::span<const Value> field, Write write) {
  return rows_by<T>(std::move(name), std::move(unit), width, std::ssize(field),
                    [field, write = std::move(write)](std::int64_t row, T* to) {
                      write(field[static_cast<std::size_t>(row)], to);
                    });
}

// A field of plain numbers is an array as it is.
template <class T>
void append(Rows& rows, const FieldInfo& info, std::span<const T> field) {
  rows.push_back(rows_of_field<T>(text(info.name), text(info.unit), 1, field,
                                  [](const T& value, T* to) { *to = value; }));
}

void append(Rows& rows, const FieldInfo& info, std::span<const Vec3> field) {
  rows.push_back(
      rows_of_field<double>(text(info.name), text(info.unit), 3, field,
                            [](const Vec3& v, double* to) { std::copy(v.begin(), v.end(), to); }));
}

void append(Rows& rows, const FieldInfo& info, std::span<const Quat> field) {
  rows.push_back(rows_of_field<double>(
      text(info.name), text(info.unit), 4, field, [](const Quat& q, double* to) {
        const std::array<double, 4> numbers{q.w(), q.x(), q.y(), q.z()};
        std::ranges::copy(numbers, to);
      }));
}

/// The number of a grain's shape among those of its type that are shared, or -1.
template <class Type>
std::int32_t handle_of(const Shape& shape) {
  const auto* one = shape.get_if<Type>();
  return one != nullptr ? one->handle : -1;
}

double scale_of(const Shape& shape) {
  if (const auto* polyhedron = shape.get_if<Polyhedron>()) return polyhedron->scale;
  if (const auto* clump = shape.get_if<Clump>()) return clump->scale;
  return 1.0;
}

/// The arrays that tell polyhedra and clumps apart: see io/paraview/snapshot.hpp.
void append_handles(Rows& rows, std::span<const Shape> field, const ShapeLibrary& shapes) {
  const auto append_handle = [&](const char* name, auto handle) {
    rows.push_back(rows_of_field<std::int32_t>(
        name, "1", 1, field,
        [handle](const Shape& shape, std::int32_t* to) { *to = handle(shape); }));
  };
  const bool has_clumps = !shapes.clumps().empty();
  if (shapes.size() > 0) append_handle("hull", handle_of<Polyhedron>);
  if (has_clumps) append_handle("clump", handle_of<Clump>);
  if (shapes.size() == 0 && !has_clumps) return;
  rows.push_back(rows_of_field<double>(
      "scale", "1", 1, field, [](const Shape& shape, double* to) { *to = scale_of(shape); }));
}

void append(Rows& rows, const FieldInfo& info, std::span<const Shape> field,
            const ShapeLibrary& shapes) {
  append_handles(rows, field, shapes);
  rows.push_back(
      rows_of_field<std::int32_t>("shape", "1", 1, field, [](const Shape& shape, std::int32_t* to) {
        *to = static_cast<std::int32_t>(shape.number());
      }));
  rows.push_back(rows_of_field<double>(
      "radius", text(info.unit), 1, field,
      [&shapes](const Shape& shape, double* to) { *to = equal_volume_radius(shape, shapes); }));
  rows.push_back(rows_of_field<double>("semi_axes", text(info.unit), 3, field,
                                       [&shapes](const Shape& shape, double* to) {
                                         const Box3 box = box_of(shape, Pose{}, shapes);
                                         const Vec3 half = 0.5 * (box.high - box.low);
                                         std::copy(half.begin(), half.end(), to);
                                       }));
}

template <std::size_t... I>
std::vector<std::string> names_of(std::index_sequence<I...>) {
  return {text(std::tuple_element_t<I, ShapeTypes>::kType)...};
}

/// The shape of that type, if snapshots tell all of it by its half extents.
template <class... S>
std::optional<Shape> with_half_extents(std::string_view type, const Vec3& half,
                                       std::type_identity<std::tuple<S...>> /*list*/) {
  std::optional<Shape> shape;
  const auto try_one = [&]<class One>(std::type_identity<One>) {
    if constexpr (requires { One::from_half_extents(half); }) {
      if (type == One::kType) shape = One::from_half_extents(half);
    }
  };
  (try_one(std::type_identity<S>()), ...);
  return shape;
}

}  // namespace

Rows field_rows(const Store& store, std::int32_t begin, std::int32_t end) {
  Rows rows;
  for_each_field(store, [&]<class T>(const FieldInfo& info, const SlotVector<T>& field) {
    if constexpr (!std::is_same_v<T, Box3> && !std::is_same_v<T, Vec3i>) {
      if (!info.saved) return;
      const std::span<const T> slots(field.data() + begin, end - begin);
      if constexpr (std::is_same_v<T, Shape>) {
        append(rows, info, slots, *store.shapes);
      } else {
        append(rows, info, slots);
      }
    }
  });
  return rows;
}

NumberRows unwrapped_rows(const Store& store, const PeriodicCell& cell) {
  return rows_by<double>("unwrapped_position", "m", 3, store.n_owned,
                         [&store, cell](std::int64_t row, double* to) {
                           const auto slot = static_cast<std::int32_t>(store.first_owned() + row);
                           const Vec3 x = unwrapped(store, cell, slot);
                           std::copy(x.begin(), x.end(), to);
                         });
}

NumberRows hole_rows(std::span<const Shape> shapes) {
  return rows_of_field<double>("hole", "m", 4, shapes, [](const Shape& shape, double* to) {
    const RoundHole* hole = hole_of(shape);
    const RoundHole h = hole != nullptr ? *hole : RoundHole{};
    const std::array<double, 4> numbers{h.low_radius, h.high_radius, h.low, h.high};
    std::ranges::copy(numbers, to);
  });
}

std::optional<Shape> shape_of(std::string_view type, const Vec3& semi_axes, double radius) {
  const Vec3& a = semi_axes;
  if (type == Sphere::kType) return Sphere{radius};
  const bool sound = (a.array() > 0.0).all() && a.allFinite() &&
                     a.maxCoeff() < Ellipsoid::kLargestRatio * a.minCoeff();
  if (!sound) return std::nullopt;
  return with_half_extents(type, a, std::type_identity<ShapeTypes>());
}

std::vector<std::string> shape_names() {
  return names_of(std::make_index_sequence<kShapeTypes>());
}

}  // namespace scree
