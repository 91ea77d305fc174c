#include "scree/tools/tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/bodies/inertia.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Shapes with one free side, whose orientation is given by its normal.
bool has_normal(const DeclaredShape& shape) {
  const Shape held = as_shape(shape);
  return held.is<Plane>() || held.is<Orifice>();
}

/// Whether moments are those of some body: none is more than the sum of the others.
bool can_be_moments(const Vec3& moments) {
  constexpr double kRounding = 1.0 + 1e-12;
  return moments.minCoeff() > 0.0 &&
         moments.maxCoeff() <= kRounding * (moments.sum() - moments.maxCoeff());
}

void require_mass(Declaration& d, const ToolSpec& tool) {
  const LoadMotion* load = tool.load();
  const bool has_inertia = !tool.inertia.isZero(0.0);
  constexpr std::string_view kPrescribed =
      "is for `motion: {type: load}` alone: another motion goes its way against any force; leave "
      "it "
      "out";
  d.require("mass", load != nullptr || tool.mass == 0.0, kPrescribed);
  d.require("inertia", load != nullptr || !has_inertia, kPrescribed);
  d.require("inertia", !has_inertia || can_be_moments(tool.inertia),
            "is of no body; allowed: three positive moments, none above the sum of the two others");
  if (load == nullptr) return;
  const bool has_volume = std::isfinite(volume(tool.shape));
  const std::string_view type = type_of(as_shape(tool.shape));
  d.require("mass", has_volume || tool.mass > 0.0,
            fmt::format("is missing: a load moves the tool, and a {} has no volume that its "
                        "material could give a mass; give it in kg",
                        type));
  d.require("motion", !has_normal(tool.shape) || !load->frees_rotation(),
            fmt::format("lets a {} turn, whose far parts would sweep all of space; allowed: "
                        "`free: [x, y, z]` or fewer, or a shape with ends",
                        type));
  d.require("inertia", has_volume || has_inertia || !load->frees_rotation(),
            fmt::format("is missing: the tool may turn, and a {} has no volume that would give it "
                        "moments; give three, or hold rotations by `motion.free: [x, y, z]`",
                        type));
}

/// Whether a free tool may turn otherwise than about the @p axis of the world.
bool turns_off(const ToolSpec& tool, int axis) {
  if (tool.load() == nullptr) return false;
  const int others = kFixRotation & ~(kFixRotationX << axis);
  return (tool.load()->held() & others) != others;
}

/// Mass and moments of a free tool. A shape without volume that does not turn needs no moments.
BodyInertia inertia_of(const ToolSpec& tool, const Material& material) {
  const double mass = tool.mass > 0.0 ? tool.mass : material.density * volume(tool.shape);
  Vec3 moments = tool.inertia;
  if (moments.isZero(0.0) && std::isfinite(volume(tool.shape))) {
    moments = mass * inertia_per_mass(tool.shape);
  }
  return {Vec3::Constant(mass), moments};
}

}  // namespace

void ToolSpec::declare(Declaration& d) {
  d.name_of("materials", "material", material, {.help = "its material", .required = true});
  declare_shape(d, shape, "its shape");
  d.vector("position", position, {.help = "where its origin is placed", .unit = "m"});
  d.vector("normal", normal, {.help = "of a plane or an orifice: points to the free side"});
  d.object("orientation", orientation, {.help = "of other shapes: rotation from the world's axes"});
  d.one_of("motion", motion, {.help = "how it moves"});
  d.real("mass", mass,
         {.help = "of a tool that a load moves; 0: by its material and volume",
          .unit = "kg",
          .min = 0.0});
  d.vector("inertia", inertia,
           {.help = "of a tool that a load moves: principal moments, in its own frame; 0: by its "
                    "shape and mass",
            .unit = "kg m^2",
            .min = 0.0});
  d.vector(
      "surface_velocity", surface_velocity,
      {.help = "at which its surface runs along itself, as a belt does: along the world's axes "
               "as placed, turning with the tool",
       .unit = "m/s"});
  d.vector("surface_angular_velocity", surface_angular_velocity,
           {.help = "the same about its position, as the wall of a drum or the end of a belt does",
            .unit = "rad/s"});
  require_mass(d, *this);
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
  const Pose pose = pose_at(motion, span.own_time(t), span.from.value_or(placed()));
  const Pose frame = frame_of(shape);
  return {pose.to_world(frame.position), pose.orientation * frame.orientation};
}

Pose ToolSpec::origin_of(const Pose& body) const {
  const Pose frame = frame_of(shape);
  const Quat turned = (body.orientation * frame.orientation.conjugate()).normalized();
  return {body.position - turned * frame.position, turned};
}

Vec6 ToolSpec::load_at(double t) const {
  return span.runs_at(t) ? load()->load_at(span.own_time(t), name) : Vec6(Vec6::Zero());
}

std::string fault_in_cell(const ToolSpec& tool, const PeriodicCell& cell) {
  const Shape shape = as_shape(tool.shape);
  if (is_convex_body(shape) || shape.is<Mesh>() || shape.is<Clump>()) return {};
  const Pose pose = tool.placed();
  const Box3 box = box_of(shape, pose, ShapeLibrary());
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis)) continue;
    const bool ends = std::isfinite(box.low[axis]) && std::isfinite(box.high[axis]);
    const bool goes_on = endless_along(shape, pose.orientation.conjugate() * Vec3::Unit(axis));
    if (goes_on && turns_off(tool, axis)) {
      return fmt::format(
          "the {} \"{}\" goes on without end in the periodic direction {}, and a load may turn it "
          "out of that; allowed: to free no rotation but that about {}",
          type_of(shape), tool.name, "xyz"[axis], "xyz"[axis]);
    }
    if (ends || goes_on) continue;
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
    if (auto* load = std::get_if<LoadMotion>(&tool.motion)) load->load();
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
    if (const LoadMotion* load = tools[i].load()) {
      body.fixed = load->held();
      const BodyInertia own = inertia_of(tools[i], materials[body.material]);
      append_free_tool(store, body, own.masses.x(), own.moments);
    } else {
      body.fixed = kFixAll;
      append_tool(store, body);
    }
  }
}

std::vector<Velocities> tool_velocities(std::span<const ToolSpec> tools, double t, double dt) {
  std::vector<Velocities> velocities;
  for (const ToolSpec& tool : tools) {
    velocities.push_back(velocities_between(tool.body_at(t), tool.body_at(t + dt), dt));
  }
  return velocities;
}

std::vector<Velocities> surface_velocities(std::span<const ToolSpec> tools, const Store& store) {
  if (std::ranges::none_of(tools, [](const ToolSpec& tool) {
        return !tool.surface_velocity.isZero(0.0) || !tool.surface_angular_velocity.isZero(0.0);
      })) {
    return {};
  }
  std::vector<Velocities> velocities;
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    const ToolSpec& tool = tools[store.group[slot]];
    const Pose body = pose_of(store, slot);
    const Pose origin = tool.origin_of(body);
    const Quat turned = origin.orientation * tool.placed().orientation.conjugate();
    const Vec3 angular = turned * tool.surface_angular_velocity;
    velocities.push_back(
        {turned * tool.surface_velocity + angular.cross(body.position - origin.position), angular});
  }
  return velocities;
}

void set_tool_velocities(Store& store, std::span<const ToolSpec> tools, double t, double dt) {
  const std::vector<Velocities> velocities = tool_velocities(tools, t, dt);
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    if (store.is_free_tool(slot)) continue;
    const Velocities& tool = velocities[store.group[slot]];
    store.velocity[slot] = tool.linear;
    store.angular_velocity[slot] = tool.angular;
  }
}

void move_tools(Store& store, std::span<const ToolSpec> tools, double t) {
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    if (store.is_free_tool(slot)) continue;
    const ToolSpec& tool = tools[store.group[slot]];
    const Pose pose = tool.body_at(t);
    store.position[slot] = pose.position;
    store.orientation[slot] = pose.orientation;
  }
}

}  // namespace scree
