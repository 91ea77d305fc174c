#pragma once

/// Walls and tools: a shape, a place and a motion. Every rank has all of them, in the tool slots of
/// the store, tool i of the list with the id kFirstToolId + i and the group i.
///
/// A tool is prescribed, with infinite mass, or free, where a load moves it: then it has a mass and
/// a state, place and velocity, which goes on from step to step as a grain's does. Tools do not
/// meet each other.
///
/// A tool is placed and moved by the origin of its shape, as the configuration tells of it. A
/// polyhedron's or mesh's is that of its file; its body's position, which tables and snapshots
/// have, is its centre of mass.

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/geometry/orientation.hpp"
#include "scree/geometry/shapes/declared_shape.hpp"
#include "scree/tools/motion.hpp"
#include "scree/tools/motion_span.hpp"

namespace scree {

class Declaration;

struct ToolSpec {
  std::string name;
  std::string material;
  DeclaredShape shape;
  Vec3 position = Vec3::Zero();  ///< the shape's origin, m; its torque is about that point
  Vec3 normal = Vec3::UnitZ();   ///< normal of a plane or an orifice, to the free side; any length
  AxisAngle orientation;         ///< turns shapes other than planes and orifices
  Motion motion;
  MotionSpan span;    ///< when the motion runs; as the run has it, not a key
  double mass = 0.0;  ///< of a free tool, kg; 0: by its material and volume
  /// How its surface runs along itself, as a belt does, while the tool stays: along the world's
  /// axes as placed, and with the tool from there. Of both the part along the surface counts.
  Vec3 surface_velocity = Vec3::Zero();          ///< m/s
  Vec3 surface_angular_velocity = Vec3::Zero();  ///< about its position, rad/s
  Vec3 inertia = Vec3::Zero();  ///< of a free tool: principal moments, body frame, kg m^2; 0: by
                                ///< its shape and mass

  void declare(Declaration& d);
  /// Where the configuration places its origin.
  Pose placed() const;
  /// The pose of its body at the time @p t, of a free tool at the start. @pre its motion is loaded.
  Pose body_at(double t) const;
  /// The pose of its origin where its body has the pose @p body.
  Pose origin_of(const Pose& body) const;
  /// Force and torque of its load at the time @p t, N and N m; zero while its motion does not run.
  /// @pre it is free. @throws InputError, as LoadMotion::load_at
  Vec6 load_at(double t) const;
  /// The motion of a free tool; null of a prescribed one.
  const LoadMotion* load() const { return std::get_if<LoadMotion>(&motion); }
};

/// Why @p tool, as placed, cannot be in the periodic @p cell; empty when it can: in each periodic
/// direction it must have ends, so that its images are others, or go on alike without end.
std::string fault_in_cell(const ToolSpec& tool, const PeriodicCell& cell);

/// Reads the files that motions name, and makes formulas of their texts. Not collective. @throws
/// InputError
void load_motions(std::vector<ToolSpec>& tools);

/// Appends @p tools to the store at their poses at the time @p t. @pre the store has no tools;
/// motions are loaded. @throws InputError for an unknown material.
void place_tools(std::span<const ToolSpec> tools, std::span<const Material> materials, Store& store,
                 double t = 0.0);

/// The velocities that lead each tool along its path from @p t to @p t + @p dt; zero of free tools.
std::vector<Velocities> tool_velocities(std::span<const ToolSpec> tools, double t, double dt);

/// The velocities at which surfaces run along themselves, of each tool slot, linear at the body's
/// position, world frame; empty where none does. Not collective, alike on all ranks.
std::vector<Velocities> surface_velocities(std::span<const ToolSpec> tools, const Store& store);

/// Sets the velocities of prescribed tools to these. Not collective, alike on all ranks.
void set_tool_velocities(Store& store, std::span<const ToolSpec> tools, double t, double dt);

/// Puts prescribed tools on their paths at the time @p t.
void move_tools(Store& store, std::span<const ToolSpec> tools, double t);

}  // namespace scree
