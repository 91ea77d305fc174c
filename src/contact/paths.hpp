#pragma once

/// The paths that bodies are predicted to take in a step.

#include "scree/bodies/store.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {

/// Where a body goes from its pose at the start, turning evenly.
struct Path {
  Pose start;
  Vec3 velocity;
  Vec3 angular_velocity;

  Pose at(double t) const { return moved(start, velocity, angular_velocity, t); }
};

/// Of the body in @p slot from @p start on.
Path path_of(const Store& store, std::int32_t slot, const Pose& start);

/// Bounds how fast the gap of the pair can shrink within the step: seen from B's frame, A's centre
/// moves with the relative velocity and turns about B's centre.
double closing_speed(const Path& a, double spin_radius_a, const Path& b, double dt);

/// Whether the predicted paths bring the pair within @p touch of each other before the step ends.
/// Goes forward in time by what is safe at the closing speed (conservative advancement), so that it
/// cannot jump over a thin body.
bool paths_touch(const ShapeLibrary& shapes, const Path& a, const Shape& shape_a, const Path& b,
                 const Shape& shape_b, double gap, double touch, double dt);

}  // namespace scree
