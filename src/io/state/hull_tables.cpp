#include "hull_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/check.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/hulls/stored_hull.hpp"

namespace scree {
namespace {

constexpr const char* kHulls = kHullTables[0];
constexpr const char* kVertices = kHullTables[1];
constexpr const char* kCorners = kHullTables[2];

void append(std::vector<double>& values, const Vec3& v) {
  values.insert(values.end(), v.begin(), v.end());
}

StateGroup table_of_hulls(const ShapeLibrary& shapes) {
  std::vector<double> volume;
  std::vector<double> inertia;
  std::vector<double> position;
  std::vector<double> orientation;
  for (std::int32_t handle = 0; handle < shapes.size(); ++handle) {
    const Hull& hull = shapes.hull(handle);
    volume.push_back(hull.volume);
    append(inertia, hull.inertia_per_mass);
    append(position, hull.in_file.position);
    const Quat& q = hull.in_file.orientation;
    orientation.insert(orientation.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  return {.name = kHulls,
          .common = true,
          .arrays = {{"volume", "m^3", 1, std::move(volume)},
                     {"inertia_per_mass", "m^2", 3, std::move(inertia)},
                     {"file_position", "m", 3, std::move(position)},
                     {"file_orientation", "1", 4, std::move(orientation)}}};
}

StateGroup table_of_vertices(const ShapeLibrary& shapes) {
  std::vector<std::int32_t> of;
  std::vector<double> position;
  for (std::int32_t handle = 0; handle < shapes.size(); ++handle) {
    for (const Vec3& vertex : shapes.hull(handle).vertices) {
      of.push_back(handle);
      append(position, vertex);
    }
  }
  return {.name = kVertices,
          .common = true,
          .arrays = {{"hull", "1", 1, std::move(of)}, {"position", "m", 3, std::move(position)}}};
}

StateGroup table_of_corners(const ShapeLibrary& shapes) {
  std::vector<std::int32_t> of;
  std::vector<std::int32_t> face;
  std::vector<std::int32_t> vertex;
  for (std::int32_t handle = 0; handle < shapes.size(); ++handle) {
    const Hull& hull = shapes.hull(handle);
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const auto loop = hull.loop(hull.faces[f]);
      of.insert(of.end(), loop.size(), handle);
      face.insert(face.end(), loop.size(), static_cast<std::int32_t>(f));
      vertex.insert(vertex.end(), loop.begin(), loop.end());
    }
  }
  return {.name = kCorners,
          .common = true,
          .arrays = {{"hull", "1", 1, std::move(of)},
                     {"face", "1", 1, std::move(face)},
                     {"vertex", "1", 1, std::move(vertex)}}};
}

std::vector<StoredHull> frames_of(const std::vector<NumberArray>& arrays) {
  const auto& volume = numbers_of<double>(arrays, "volume", 1);
  const auto& inertia = numbers_of<double>(arrays, "inertia_per_mass", 3);
  const auto& position = numbers_of<double>(arrays, "file_position", 3);
  const auto& q = numbers_of<double>(arrays, "file_orientation", 4);
  std::vector<StoredHull> hulls(volume.size());
  if (inertia.size() != 3 * hulls.size() || position.size() != 3 * hulls.size() ||
      q.size() != 4 * hulls.size()) {
    refuse_state(kHulls);
  }
  for (std::size_t i = 0; i < hulls.size(); ++i) {
    hulls[i].volume = volume[i];
    hulls[i].inertia_per_mass = Vec3(&inertia[3 * i]);
    hulls[i].in_file = {Vec3(&position[3 * i]),
                        Quat(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3])};
  }
  return hulls;
}

/// The one of @p hulls that row of the table @p name is of.
StoredHull& hull_of_row(std::vector<StoredHull>& hulls, std::int32_t handle, const char* name) {
  if (handle < 0 || static_cast<std::size_t>(handle) >= hulls.size()) refuse_state(name);
  return hulls[static_cast<std::size_t>(handle)];
}

void add_vertices(std::vector<StoredHull>& hulls, const std::vector<NumberArray>& arrays) {
  const auto& of = numbers_of<std::int32_t>(arrays, "hull", 1);
  const auto& position = numbers_of<double>(arrays, "position", 3);
  if (position.size() != 3 * of.size()) refuse_state(kVertices);
  for (std::size_t i = 0; i < of.size(); ++i) {
    hull_of_row(hulls, of[i], kVertices).vertices.emplace_back(&position[3 * i]);
  }
}

void add_corners(std::vector<StoredHull>& hulls, const std::vector<NumberArray>& arrays) {
  const auto& of = numbers_of<std::int32_t>(arrays, "hull", 1);
  const auto& face = numbers_of<std::int32_t>(arrays, "face", 1);
  const auto& vertex = numbers_of<std::int32_t>(arrays, "vertex", 1);
  if (face.size() != of.size() || vertex.size() != of.size()) refuse_state(kCorners);
  for (std::size_t i = 0; i < of.size(); ++i) {
    StoredHull& hull = hull_of_row(hulls, of[i], kCorners);
    const auto next = static_cast<std::int32_t>(hull.loops.size());
    if (face[i] == next) hull.loops.emplace_back();
    if (face[i] < 0 || face[i] > next) refuse_state(kCorners);
    hull.loops[static_cast<std::size_t>(face[i])].push_back(vertex[i]);
  }
}

}  // namespace

std::vector<StateGroup> hull_tables(const ShapeLibrary& shapes) {
  if (shapes.size() == 0) return {};
  return {table_of_hulls(shapes), table_of_vertices(shapes), table_of_corners(shapes)};
}

void add_hulls(const std::vector<StateGroup>& tables, ShapeLibrary& shapes) {
  if (std::ranges::find(tables, kHulls, &StateGroup::name) == tables.end()) return;
  std::vector<StoredHull> hulls = frames_of(arrays_of(tables, kHulls));
  add_vertices(hulls, arrays_of(tables, kVertices));
  add_corners(hulls, arrays_of(tables, kCorners));
  for (std::size_t i = 0; i < hulls.size(); ++i) {
    shapes.add(restored(hulls[i], fmt::format("{} {}", kHulls, i)));
  }
}

}  // namespace scree
