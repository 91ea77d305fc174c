#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape.hpp"

namespace scree {

/// Rigid cluster of balls (multisphere): one of the shape library's, scaled.
struct Cluster {
  static constexpr std::string_view kType = "cluster";
  static constexpr std::string_view kHelp = "balls that move as one body";

  std::int32_t handle = 0;
  double scale = 1.0;
};

/// The balls of a cluster, which touches wherever one of them does. Its volume, inertia and radii
/// are not those of the balls' union but of the body that the balls stand for.
struct BallCluster {
  struct Ball {
    Vec3 centre;  ///< m
    double radius;
  };

  std::vector<Ball> balls;
  double volume = 0.0;                   ///< m^3
  Vec3 inertia_per_mass = Vec3::Zero();  ///< principal moments over mass, m^2
  double bounding_radius = 0.0;          ///< m, of the balls, about the origin
  double inscribed_radius = 0.0;         ///< m, of the body that the balls stand for
};

/// A cluster with its geometry. Valid as long as the balls.
struct ScaledCluster {
  static constexpr std::string_view kType = Cluster::kType;

  const BallCluster& cluster;
  double scale;

  std::size_t size() const { return cluster.balls.size(); }
  double radius(std::size_t i) const { return scale * cluster.balls[i].radius; }
  /// The place of a ball of the cluster at @p pose.
  Pose pose_of(std::size_t i, const Pose& pose) const {
    return {pose.to_world(scale * cluster.balls[i].centre), pose.orientation};
  }

  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double bounding_radius() const { return scale * cluster.bounding_radius; }
  double inscribed_radius() const { return scale * cluster.inscribed_radius; }
  double volume() const { return scale * scale * scale * cluster.volume; }
  Vec3 inertia_per_mass() const { return scale * scale * cluster.inertia_per_mass; }
};

}  // namespace scree
