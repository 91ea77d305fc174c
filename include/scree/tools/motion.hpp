#pragma once

/// Motions of walls and tools: prescribed ones, and that of a free tool (tools/load_motion.hpp).
///
/// A prescribed motion is a struct that gives the pose at a time t from the pose at which the tool
/// was placed:
///
///     static constexpr std::string_view kType, kHelp;  void declare(Declaration&)
///     Pose pose_at(double t, const Pose& placed) const
///
/// Velocities are never asked of it. Those of the step [t, t + dt] are the ones that lead from the
/// pose at its start to that at its end,
///
///     v = (x(t + dt) - x(t)) / dt,    w = rotation_vector(q(t + dt) q(t)^-1) / dt,
///
/// so that a motion ends each step exactly on its path, whatever the step. (A tool that turns by
/// more than half a turn in a step cannot be told from one that turns the other way.)

#include <filesystem>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/geometry/pose.hpp"
#include "scree/tools/load_motion.hpp"
#include "scree/tools/motion_events.hpp"
#include "scree/tools/motion_span.hpp"

namespace scree {

class Declaration;

/// Stays where it is placed.
struct FixedMotion {
  static constexpr std::string_view kType = "fixed";
  static constexpr std::string_view kHelp = "stays where it is placed";

  void declare(Declaration&) {}
  Pose pose_at(double /*t*/, const Pose& placed) const { return placed; }
};

/// Moves and turns at constant velocities from `start` to `stop`: a drum has an angular velocity
/// along its axis, whose any point is its `centre`.
struct VelocityMotion {
  static constexpr std::string_view kType = "velocity";
  static constexpr std::string_view kHelp = "constant velocity and angular velocity";
  static constexpr double kNever = 1e9;

  Vec3 velocity = Vec3::Zero();          ///< velocity of the point `centre`, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< world frame, rad/s
  double start = 0.0;                    ///< s
  double stop = kNever;                  ///< s
  MotionEvents events;
  Vec3 centre = Vec3::Zero();  ///< place relative to the tool's position as placed, world axes, m

  void declare(Declaration& d);
  Pose pose_at(double t, const Pose& placed) const;
};

/// Goes through poses at given times. In between, displacements and rotation vectors go linearly
/// (about one axis any number of turns may lie between two entries); at rest before the first time
/// and after the last.
struct TableMotion {
  static constexpr std::string_view kType = "table";
  static constexpr std::string_view kHelp = "piecewise linear in time";

  std::filesystem::path file;       ///< columns t,x,y,z and perhaps rx,ry,rz; instead of the lists
  std::vector<double> times;        ///< increasing, s
  std::vector<Vec3> displacements;  ///< displacements from the position as placed, m
  std::vector<Vec3> rotations;  ///< rotation vectors from the orientation as placed, rad; or none
  MotionEvents events;

  void declare(Declaration& d);
  /// Reads the lists from `file` when one is named. @throws InputError
  void load();
  /// @pre loaded.
  Pose pose_at(double t, const Pose& placed) const;
};

/// Swings along a line about where it is placed, from `start` to `stop`:
///
///     x(t) = placed + amplitude direction/|direction| sin(2 pi frequency t' + phase),
///
/// t' being the time from `start` on; at rest before and after. A phase other than zero begins away
/// from the place.
struct OscillationMotion {
  static constexpr std::string_view kType = "oscillation";
  static constexpr std::string_view kHelp = "swings along a line, as a sine of time";

  double amplitude = 0.0;                ///< m
  Vec3 direction = Vec3::UnitZ();        ///< need not have unit length
  double frequency = 0.0;                ///< Hz
  double phase = 0.0;                    ///< rad
  double start = 0.0;                    ///< s
  double stop = VelocityMotion::kNever;  ///< s
  MotionEvents events;

  void declare(Declaration& d);
  Pose pose_at(double t, const Pose& placed) const;
};

using Motion =
    std::variant<FixedMotion, VelocityMotion, TableMotion, OscillationMotion, LoadMotion>;

struct Velocities {
  Vec3 linear;   ///< m/s
  Vec3 angular;  ///< world frame, rad/s
};

Pose pose_at(const Motion& motion, double t, const Pose& placed);

/// The events of @p motion; null of one that has none.
const MotionEvents* events_of(const Motion& motion);

/// How @p motion is to run where the tool gets it at the time @p given, s, at the pose @p from;
/// none: as placed.
MotionSpan span_of(const Motion& motion, double given, std::optional<Pose> from);

/// The velocities that lead from @p from to @p to in the time @p dt.
Velocities velocities_between(const Pose& from, const Pose& to, double dt);

}  // namespace scree
