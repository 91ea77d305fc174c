#include "field_arrays.hpp"

#include <span>
#include <string_view>
#include <type_traits>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

using Arrays = std::vector<NumberArray>;

std::string text(std::string_view view) {
  return std::string(view);
}

// A field of plain numbers is an array as it is.
template <class T>
void append(Arrays& arrays, const FieldInfo& info, std::span<const T> field) {
  arrays.push_back(
      {text(info.name), text(info.unit), 1, std::vector<T>(field.begin(), field.end())});
}

void append(Arrays& arrays, const FieldInfo& info, std::span<const Vec3> field) {
  std::vector<double> values;
  values.reserve(3 * field.size());
  for (const Vec3& v : field) values.insert(values.end(), {v.x(), v.y(), v.z()});
  arrays.push_back({text(info.name), text(info.unit), 3, std::move(values)});
}

void append(Arrays& arrays, const FieldInfo& info, std::span<const Quat> field) {
  std::vector<double> values;
  values.reserve(4 * field.size());
  for (const Quat& q : field) values.insert(values.end(), {q.w(), q.x(), q.y(), q.z()});
  arrays.push_back({text(info.name), text(info.unit), 4, std::move(values)});
}

/// The arrays that tell polyhedra and clumps apart: see io/paraview/snapshot.hpp.
void append_handles(Arrays& arrays, std::span<const Shape> field, const ShapeLibrary& shapes) {
  std::vector<std::int32_t> hull;
  std::vector<std::int32_t> clump;
  std::vector<double> scale;
  for (const Shape& shape : field) {
    const auto* polyhedron = shape.get_if<Polyhedron>();
    const auto* parts = shape.get_if<Clump>();
    hull.push_back(polyhedron != nullptr ? polyhedron->handle : -1);
    clump.push_back(parts != nullptr ? parts->handle : -1);
    scale.push_back(polyhedron != nullptr ? polyhedron->scale
                    : parts != nullptr    ? parts->scale
                                          : 1.0);
  }
  const bool has_clumps = !shapes.clumps().empty();
  if (shapes.size() > 0) arrays.push_back({"hull", "1", 1, std::move(hull)});
  if (has_clumps) arrays.push_back({"clump", "1", 1, std::move(clump)});
  if (shapes.size() > 0 || has_clumps) arrays.push_back({"scale", "1", 1, std::move(scale)});
}

void append(Arrays& arrays, const FieldInfo& info, std::span<const Shape> field,
            const ShapeLibrary& shapes) {
  std::vector<std::int32_t> type;
  std::vector<double> semi_axes;
  std::vector<double> radius;
  for (const Shape& shape : field) {
    const Box3 box = box_of(shape, Pose{}, shapes);
    const Vec3 half = 0.5 * (box.high - box.low);
    type.push_back(static_cast<std::int32_t>(shape.number()));
    semi_axes.insert(semi_axes.end(), {half.x(), half.y(), half.z()});
    radius.push_back(equal_volume_radius(shape, shapes));
  }
  append_handles(arrays, field, shapes);
  arrays.push_back({"shape", "1", 1, std::move(type)});
  arrays.push_back({"radius", text(info.unit), 1, std::move(radius)});
  arrays.push_back({"semi_axes", text(info.unit), 3, std::move(semi_axes)});
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

Arrays number_arrays(const Store& store, std::int32_t begin, std::int32_t end) {
  Arrays arrays;
  for_each_field(store, [&]<class T>(const FieldInfo& info, const SlotVector<T>& field) {
    if constexpr (!std::is_same_v<T, Box3> && !std::is_same_v<T, Vec3i>) {
      if (!info.saved) return;
      const std::span<const T> slots(field.data() + begin, end - begin);
      if constexpr (std::is_same_v<T, Shape>) {
        append(arrays, info, slots, *store.shapes);
      } else {
        append(arrays, info, slots);
      }
    }
  });
  return arrays;
}

NumberArray unwrapped_array(const Store& store, const PeriodicCell& cell) {
  std::vector<double> values;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const Vec3 x = unwrapped(store, cell, slot);
    values.insert(values.end(), {x.x(), x.y(), x.z()});
  }
  return {"unwrapped_position", "m", 3, std::move(values)};
}

NumberArray hole_array(std::span<const Shape> shapes) {
  std::vector<double> values;
  for (const Shape& shape : shapes) {
    const RoundHole* hole = hole_of(shape);
    const RoundHole none;
    const RoundHole& h = hole != nullptr ? *hole : none;
    values.insert(values.end(), {h.low_radius, h.high_radius, h.low, h.high});
  }
  return {"hole", "m", 4, std::move(values)};
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
