#include "clump_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "shape_numbers.hpp"

namespace scree {
namespace {

constexpr const char* kClumps = kClumpTables[0];
constexpr const char* kParts = kClumpTables[1];

void append_vector(std::vector<double>& values, const Vec3& v) {
  values.insert(values.end(), v.begin(), v.end());
}
void append_rotation(std::vector<double>& values, const Quat& q) {
  values.insert(values.end(), {q.w(), q.x(), q.y(), q.z()});
}
Quat rotation_at(const std::vector<double>& q, std::size_t i) {
  return {q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]};
}

StateGroup table_of_clumps(const ShapeLibrary& shapes) {
  std::vector<double> volume;
  std::vector<double> inertia;
  std::vector<double> position;
  std::vector<double> orientation;
  for (const auto& clump : shapes.clumps()) {
    volume.push_back(clump->volume);
    append_vector(inertia, clump->inertia_per_mass);
    append_vector(position, clump->in_file.position);
    append_rotation(orientation, clump->in_file.orientation);
  }
  return {.name = kClumps,
          .common = true,
          .arrays = {{"volume", "m^3", 1, std::move(volume)},
                     {"inertia_per_mass", "m^2", 3, std::move(inertia)},
                     {"file_position", "m", 3, std::move(position)},
                     {"file_orientation", "1", 4, std::move(orientation)}}};
}

StateGroup table_of_parts(const ShapeLibrary& shapes) {
  std::vector<std::int32_t> of;
  std::vector<std::int32_t> type;
  std::vector<std::int32_t> hull;
  std::vector<double> scale;
  std::vector<double> parameters;
  std::vector<double> semi_axes;
  std::vector<double> position;
  std::vector<double> orientation;
  for (std::size_t handle = 0; handle < shapes.clumps().size(); ++handle) {
    for (const ClumpParts::Part& part : shapes.clumps()[handle]->parts) {
      const auto* polyhedron = part.shape.get_if<Polyhedron>();
      const Box3 box = box_of(part.shape, Pose{}, shapes);
      of.push_back(static_cast<std::int32_t>(handle));
      type.push_back(static_cast<std::int32_t>(part.shape.number()));
      hull.push_back(polyhedron != nullptr ? polyhedron->handle : -1);
      scale.push_back(polyhedron != nullptr ? polyhedron->scale : 1.0);
      parameters.resize(parameters.size() + kShapeNumbers);
      write_shape(part.shape, &*parameters.end() - kShapeNumbers);
      append_vector(semi_axes, 0.5 * (box.high - box.low));
      append_vector(position, part.pose.position);
      append_rotation(orientation, part.pose.orientation);
    }
  }
  return {.name = kParts,
          .common = true,
          .arrays = {{"clump", "1", 1, std::move(of)},
                     {"shape", "1", 1, std::move(type)},
                     {"hull", "1", 1, std::move(hull)},
                     {"scale", "1", 1, std::move(scale)},
                     {"parameters", "SI", kShapeNumbers, std::move(parameters)},
                     {"semi_axes", "m", 3, std::move(semi_axes)},
                     {"position", "m", 3, std::move(position)},
                     {"orientation", "1", 4, std::move(orientation)}}};
}

/// Whether a part read from a file is one that a clump may have.
bool is_sound(const ClumpParts::Part& part, const ShapeLibrary& shapes) {
  const auto* polyhedron = part.shape.get_if<Polyhedron>();
  if (polyhedron != nullptr && (polyhedron->handle < 0 || polyhedron->handle >= shapes.size())) {
    return false;
  }
  if (!is_convex_body(part.shape)) return false;
  return inscribed_radius(part.shape, shapes) > 0.0 &&
         std::isfinite(bounding_radius(part.shape, shapes)) && part.pose.position.allFinite() &&
         std::abs(part.pose.orientation.norm() - 1.0) < 1e-9;
}

std::vector<ClumpParts> frames_of_clumps(const std::vector<NumberArray>& arrays) {
  const auto& volume = numbers_of<double>(arrays, "volume", 1);
  const auto& inertia = numbers_of<double>(arrays, "inertia_per_mass", 3);
  const auto& position = numbers_of<double>(arrays, "file_position", 3);
  const auto& orientation = numbers_of<double>(arrays, "file_orientation", 4);
  std::vector<ClumpParts> clumps(volume.size());
  if (inertia.size() != 3 * clumps.size() || position.size() != 3 * clumps.size() ||
      orientation.size() != 4 * clumps.size()) {
    refuse_state(kClumps);
  }
  for (std::size_t i = 0; i < clumps.size(); ++i) {
    clumps[i].volume = volume[i];
    clumps[i].inertia_per_mass = Vec3(&inertia[3 * i]);
    clumps[i].in_file = {Vec3(&position[3 * i]), rotation_at(orientation, i)};
    clumps[i].inscribed_radius = std::numeric_limits<double>::infinity();
    const bool has_frame = clumps[i].in_file.position.allFinite() &&
                           std::abs(clumps[i].in_file.orientation.norm() - 1.0) < 1e-9;
    const bool is_body = has_frame && volume[i] > 0.0 && std::isfinite(volume[i]) &&
                         clumps[i].inertia_per_mass.minCoeff() > 0.0 &&
                         clumps[i].inertia_per_mass.allFinite();
    if (!is_body) refuse_state(kClumps);
  }
  return clumps;
}

void add_parts(std::vector<ClumpParts>& clumps, const std::vector<NumberArray>& arrays,
               const ShapeLibrary& shapes) {
  const auto& of = numbers_of<std::int32_t>(arrays, "clump", 1);
  const auto& parameters = numbers_of<double>(arrays, "parameters", kShapeNumbers);
  const auto& position = numbers_of<double>(arrays, "position", 3);
  const auto& orientation = numbers_of<double>(arrays, "orientation", 4);
  if (parameters.size() != kShapeNumbers * of.size() || position.size() != 3 * of.size() ||
      orientation.size() != 4 * of.size()) {
    refuse_state(kParts);
  }
  if (!std::ranges::all_of(parameters, [](double x) { return std::isfinite(x); })) {
    refuse_state(kParts);
  }
  for (std::size_t i = 0; i < of.size(); ++i) {
    ClumpParts::Part part{read_shape(&parameters[kShapeNumbers * i]),
                          {Vec3(&position[3 * i]), rotation_at(orientation, i)}};
    const bool has_clump = of[i] >= 0 && static_cast<std::size_t>(of[i]) < clumps.size();
    if (!has_clump || !is_sound(part, shapes)) refuse_state(kParts);
    part.bounding_radius = bounding_radius(part.shape, shapes);
    part.inscribed_radius = inscribed_radius(part.shape, shapes);
    ClumpParts& clump = clumps[static_cast<std::size_t>(of[i])];
    clump.bounding_radius =
        std::max(clump.bounding_radius, part.pose.position.norm() + part.bounding_radius);
    clump.inscribed_radius = std::min(clump.inscribed_radius, part.inscribed_radius);
    clump.parts.push_back(part);
  }
}

}  // namespace

std::vector<StateGroup> clump_tables(const ShapeLibrary& shapes) {
  if (shapes.clumps().empty()) return {};
  return {table_of_clumps(shapes), table_of_parts(shapes)};
}

void add_clumps(const std::vector<StateGroup>& tables, ShapeLibrary& shapes) {
  if (std::ranges::find(tables, kClumps, &StateGroup::name) == tables.end()) return;
  std::vector<ClumpParts> clumps = frames_of_clumps(arrays_of(tables, kClumps));
  add_parts(clumps, arrays_of(tables, kParts), shapes);
  for (ClumpParts& clump : clumps) {
    if (clump.parts.empty() || clump.parts.size() > kMostParts) refuse_state(kParts);
    shapes.add(std::move(clump), shapes);
  }
}

}  // namespace scree
