#pragma once

/// Clusters of balls that stand for a smooth body.
///
/// A body about an axis is filled with n balls that it holds, their centres at equal distances
/// along the middle of it:
///
///     spheroid  a > b = c   x_k from -e^2/a to e^2/a on the longest axis, e^2 = a^2 - b^2,
///                           r_k = b sqrt(1 - x_k^2 / e^2): each touches the surface from inside,
///                           the outermost, of r = b^2 / a, at the tips
///     capsule               from end to end of its segment, r_k its radius
///     ring                  around its circle, r_k its minor radius
///
/// For odd n the largest ball of a spheroid is at its centre. Volume, inertia and inscribed radius
/// are those of the body, so that the cluster moves freely as the body does.
///
/// Reference: Markauskas, Kacianauskas, Dziugys and Navakas, Granular Matter 12 (2010) 107 (balls of
/// different radii inside an ellipsoid, along its major axis); the equal distances are our choice.

#include <span>

#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/ring.hpp"

namespace scree {

/// The most balls of a cluster: they are numbered in the features of contact points.
inline constexpr int kMostBalls = 4096;

/// @p n balls instead of a body.
/// @throws InputError for n out of 1..kMostBalls, for an even n (the body's centre would have no
/// ball),
///         and for an ellipsoid whose two shorter axes differ, which no balls on an axis fill
BallCluster cluster_of(const Ellipsoid& body, int n);
/// @throws InputError as above
BallCluster cluster_of(const Capsule& body, int n);
/// Any number of balls from 3. @throws InputError
BallCluster cluster_of(const Ring& body, int n);

/// Any balls, with the volume (m^3), the principal moments over mass (m^2) and the inscribed radius
/// of what they stand for, whose centre of mass is the origin and whose principal axes are the
/// frame's.
/// @throws InputError for no balls, too many, or a size that is not above 0
BallCluster cluster_of(std::span<const BallCluster::Ball> balls, double volume,
                       const Vec3& inertia_per_mass, double inscribed_radius);

}  // namespace scree
