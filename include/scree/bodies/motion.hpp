#pragma once

/// Prescribed motions of walls and tools.
///
/// A motion is a struct that gives the pose at a time t from the pose at which the tool was placed:
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
#include <string_view>
#include <variant>
#include <vector>

#include "scree/config/declaration.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

/// Stays where it is placed.
struct FixedMotion {
  static constexpr std::string_view kType = "fixed";
  static constexpr std::string_view kHelp = "stays where it is placed";

  void declare(Declaration&) {}
  Pose pose_at(double /*t*/, const Pose& placed) const { return placed; }
};

/// Moves and turns at constant velocities from `start` to `stop`.
struct VelocityMotion {
  static constexpr std::string_view kType = "velocity";
  static constexpr std::string_view kHelp = "constant velocity and angular velocity";
  static constexpr double kNever = 1e9;

  Vec3 velocity = Vec3::Zero();          ///< of the point `centre`, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< world frame, rad/s
  double start = 0.0;                    ///< s
  double stop = kNever;                  ///< s
  Vec3 centre = Vec3::Zero();            ///< from the tool's position as placed, world axes, m

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
  std::vector<Vec3> displacements;  ///< from the position as placed, m
  std::vector<Vec3> rotations;  ///< rotation vectors from the orientation as placed, rad; or none

  void declare(Declaration& d);
  /// Reads the lists from `file` when one is named. @throws InputError
  void load();
  /// @pre loaded.
  Pose pose_at(double t, const Pose& placed) const;
};

using Motion = std::variant<FixedMotion, VelocityMotion, TableMotion>;

struct Velocities {
  Vec3 linear;   ///< m/s
  Vec3 angular;  ///< world frame, rad/s
};

Pose pose_at(const Motion& motion, double t, const Pose& placed);

/// The velocities that lead from @p from to @p to in the time @p dt.
Velocities velocities_between(const Pose& from, const Pose& to, double dt);

}  // namespace scree
