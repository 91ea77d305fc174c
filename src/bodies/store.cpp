#include "scree/bodies/store.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

// Eigen's own default constructors leave memory as it is.
template <class T>
T initial_value() {
  return T{};
}
template <>
Vec3 initial_value<Vec3>() {
  return Vec3::Zero();
}
template <>
Vec3i initial_value<Vec3i>() {
  return Vec3i::Zero();
}
template <>
Quat initial_value<Quat>() {
  return Quat::Identity();
}
template <>
Box3 initial_value<Box3>() {
  return {Vec3::Zero(), Vec3::Zero()};
}
template <>
std::int64_t initial_value<std::int64_t>() {
  return -1;  // no body
}

/// Opens one slot at @p slot, moving those behind it up.
void open_slot(Store& store, std::int32_t slot) {
  for_each_field(store, [slot]<class T>(const FieldInfo&, SlotVector<T>& field) {
    field.insert(field.begin() + slot, initial_value<T>());
  });
}

void fill_slot(Store& store, std::int32_t slot, const Body& body) {
  store.id[slot] = body.id;
  store.position[slot] = body.position;
  store.orientation[slot] = body.orientation.normalized();
  store.velocity[slot] = body.velocity;
  store.angular_velocity[slot] = body.angular_velocity;
  store.free_velocity[slot] = body.velocity;
  store.shape[slot] = body.shape;
  store.material[slot] = body.material;
  store.group[slot] = body.group;
  store.fixed[slot] = body.fixed;
  store.work[slot] = 1.0;
}

}  // namespace

const std::shared_ptr<const ShapeLibrary>& empty_library() {
  static const auto kEmpty = std::make_shared<const ShapeLibrary>();
  return kEmpty;
}

void resize(Store& store, std::int32_t size) {
  for_each_field(store, [size]<class T>(const FieldInfo&, SlotVector<T>& field) {
    const auto n = static_cast<std::size_t>(size);
    if (n > field.capacity()) field.reserve(n + n / 8);  // a vector takes twice what it has
    field.resize(n, initial_value<T>());
  });
}

void keep_owned(Store& store, const std::vector<bool>& keep) {
  SCREE_ASSERT(std::cmp_equal(keep.size(), store.n_owned));
  const std::size_t first = store.first_owned();
  std::size_t end = first;
  for_each_field(store, [&]<class T>(const FieldInfo&, SlotVector<T>& field) {
    end = first;
    for (std::size_t k = 0; k < keep.size(); ++k) {
      if (keep[k]) field[end++] = field[first + k];
    }
    field.resize(end, initial_value<T>());
  });
  store.n_owned = static_cast<std::int32_t>(end - first);
}

void append_grain(Store& store, const Body& body) {
  const double mass = body.density * volume(body.shape, *store.shapes);
  if (!(mass > 0.0) || !std::isfinite(mass)) {
    throw InputError(
        fmt::format("body {}: its mass is {} kg (density {} kg/m^3, shape {}); a grain "
                    "needs a finite shape and a positive density",
                    body.id, mass, body.density, type_of(body.shape)));
  }
  const std::int32_t slot = store.end_owned();
  resize(store, slot);
  resize(store, slot + 1);
  fill_slot(store, slot, body);
  set_shape(store, slot, body.shape, body.density);
  ++store.n_owned;
}

std::int32_t append_copy(Store& store, std::int32_t slot) {
  resize(store, store.end_owned());
  for_each_field(store, [slot]<class T>(const FieldInfo&, SlotVector<T>& field) {
    field.push_back(T(field[slot]));
  });
  return store.first_owned() + store.n_owned++;
}

void set_shape(Store& store, std::int32_t slot, const Shape& shape, double density) {
  store.shape[slot] = shape;
  store.mass[slot] = density * volume(shape, *store.shapes);
  store.inertia[slot] = store.mass[slot] * inertia_per_mass(shape, *store.shapes);
}

void append_tool(Store& store, const Body& body) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  append_free_tool(store, body, kInfinity, Vec3::Constant(kInfinity));
}

void append_free_tool(Store& store, const Body& body, double mass, const Vec3& inertia) {
  SCREE_ASSERT(body.id >= kFirstToolId);
  const std::int32_t slot = store.n_tools;
  open_slot(store, slot);
  fill_slot(store, slot, body);
  store.mass[slot] = mass;
  store.inertia[slot] = inertia;
  ++store.n_tools;
}

std::int32_t count_free_tools(const Store& store) {
  std::int32_t n = 0;
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) n += store.is_free_tool(slot) ? 1 : 0;
  return n;
}

void wrap_into(Store& store, const PeriodicCell& cell) {
  if (!cell.repeats()) return;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    store.wraps[slot] += cell.wrap(store.position[slot]);
  }
}

Vec3 unwrapped(const Store& store, const PeriodicCell& cell, std::int32_t slot) {
  return store.position[slot] + cell.shift(store.wraps[slot]);
}

void append_image(Store& store, const PeriodicCell& cell, std::int32_t slot, const Vec3i& image) {
  for_each_field(store, [slot]<class T>(const FieldInfo&, SlotVector<T>& field) {
    field.push_back(T(field[slot]));
  });
  store.image.back() = image;
  shift_to_image(store, cell, store.size() - 1, Sync::ghost);
}

void shift_to_image(Store& store, const PeriodicCell& cell, std::int32_t slot, Sync sent) {
  const Vec3 shift = cell.shift(store.image[slot]);
  store.position[slot] += shift;
  store.box[slot] = store.box[slot].shifted(shift);
  if (sent > Sync::skin) return;
  store.skin[slot] = store.skin[slot].shifted(shift);
  store.wraps[slot] -= store.image[slot];
}

double bounding_radius(const Store& store, std::int32_t slot) {
  return bounding_radius(store.shape[slot], *store.shapes);
}

double inscribed_radius(const Store& store, std::int32_t slot) {
  return inscribed_radius(store.shape[slot], *store.shapes);
}

double equal_volume_radius(const Store& store, std::int32_t slot) {
  return equal_volume_radius(store.shape[slot], *store.shapes);
}

}  // namespace scree
