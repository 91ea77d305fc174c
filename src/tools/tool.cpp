#include "scree/tools/tool.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scree/config/declaration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Shapes with one free side, whose orientation is given by its normal.
bool has_normal(const DeclaredShape& shape) {
  const Shape held = as_shape(shape);
  return held.is<Plane>() || held.is<Orifice>();
}

}  // namespace

void ToolSpec::declare(Declaration& d) {
  d.name_of("materials", "material", material, {.help = "its material", .required = true});
  declare_shape(d, shape, "its shape");
  d.vector("position", position, {.help = "where its origin is placed", .unit = "m"});
  d.vector("normal", normal, {.help = "of a plane or an orifice: points to the free side"});
  d.object("orientation", orientation, {.help = "of other shapes: rotation from the world's axes"});
  d.one_of("motion", motion, {.help = "how it moves"});
  const bool by_normal = has_normal(shape);
  d.require("normal", normal.norm() > 0.0, "has no direction");
  d.require("normal", by_normal || normal == Vec3::UnitZ(),
            "is only for a plane or an orifice; turn this shape by its orientation");
  d.require("orientation", !by_normal || orientation.angle == 0.0,
            "is not for a plane or an orifice; give its normal");
}

Pose ToolSpec::placed() const {
  if (has_normal(shape)) {
    return {position, rotation_between(Vec3::UnitZ(), normal)};
  }
  return {position, orientation.rotation()};
}

Pose ToolSpec::body_at(double t) const {
  const Pose pose = pose_at(motion, t, placed());
  const Pose frame = frame_of(shape);
  return {pose.to_world(frame.position), pose.orientation * frame.orientation};
}

std::string fault_in_cell(const ToolSpec& tool, const PeriodicCell& cell) {
  const Shape shape = as_shape(tool.shape);
  if (is_convex_body(shape)) return {};
  const Pose pose = tool.placed();
  const Box3 box = box_of(shape, pose, ShapeLibrary());
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis)) continue;
    const bool ends = std::isfinite(box.low[axis]) && std::isfinite(box.high[axis]);
    if (ends || endless_along(shape, pose.orientation.conjugate() * Vec3::Unit(axis))) continue;
    return fmt::format(
        "the {} \"{}\" is without end in the periodic direction {}, but does not go on alike "
        "there; "
        "allowed: planes and endless cylinders along it, and shapes with ends",
        type_of(shape), tool.name, "xyz"[axis]);
  }
  return {};
}

void load_motions(std::vector<ToolSpec>& tools) {
  for (ToolSpec& tool : tools) {
    if (auto* table = std::get_if<TableMotion>(&tool.motion)) table->load();
  }
}

void place_tools(std::span<const ToolSpec> tools, std::span<const Material> materials, Store& store,
                 double t) {
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const Pose pose = tools[i].body_at(t);
    Body body;
    body.id = kFirstToolId + static_cast<std::int64_t>(i);
    body.position = pose.position;
    body.orientation = pose.orientation;
    body.shape = as_shape(tools[i].shape);
    body.material = material_index(materials, tools[i].material);
    body.group = static_cast<std::int32_t>(i);
    body.fixed = kFixAll;
    append_tool(store, body);
  }
}

std::vector<Velocities> tool_velocities(std::span<const ToolSpec> tools, double t, double dt) {
  std::vector<Velocities> velocities;
  for (const ToolSpec& tool : tools) {
    velocities.push_back(velocities_between(tool.body_at(t), tool.body_at(t + dt), dt));
  }
  return velocities;
}

void set_tool_velocities(Store& store, std::span<const ToolSpec> tools, double t, double dt) {
  const std::vector<Velocities> velocities = tool_velocities(tools, t, dt);
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    const Velocities& tool = velocities[store.group[slot]];
    store.velocity[slot] = tool.linear;
    store.angular_velocity[slot] = tool.angular;
  }
}

void move_tools(Store& store, std::span<const ToolSpec> tools, double t) {
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    const ToolSpec& tool = tools[store.group[slot]];
    const Pose pose = tool.body_at(t);
    store.position[slot] = pose.position;
    store.orientation[slot] = pose.orientation;
  }
}

}  // namespace scree
