#pragma once

/// A convex body and a solid with a round hole (round_hole.hpp).
///
/// The hole's free side is convex around the wall, the solid is convex in each half plane that the
/// axis bounds. What touches is one of
///
///     the wall    where the gap from its tangent planes,
///                 g(phi) = n(phi) . (c - s) - h(-n(phi)),   is least along the angle phi: n the wall's normal there,
///                 s a point of it, c the body's centre and h its support function about c. Of a body with vertices
///                 these are its vertices, which leave the solid on the shortest way. g'' is at most
///                 |n_rho| (|c_rho| + the body's bounding radius), which circle_minima.hpp asks for
///     a face      the body's vertices, or its point farthest towards the face
///     a rim       the minima along it of the body's signed distance (a ring without thickness, ring_contact.hpp)
///
/// Points of wall and faces count where the hole's nearest point to the body's is on that part
/// (inside the solid: the way out is; through the tip of a closed cone nothing goes), points of a
/// rim where the normal is between those of the two parts that meet there. A body that stands along
/// the hole touches all around: a body without vertices has one more point in the middle of each
/// quarter that has no minimum, the wall's tangent plane there, which nothing within the hole can
/// cross; a vertex, or the ball about it, has those a third of a turn to its sides; and a rim has
/// the middles of its quarters.
///
/// Overlapping, the rim may lead a body into the solid, or a body deep in it has no point that
/// counts: it then has the plane through the point by which its centre leaves the solid, or the
/// deepest point of it that is known to be inside. A vertex that is pressed deeper than half of a
/// plate leaves on the other side.
///
/// Where there are more points than a manifold holds without an allocation, those are kept that are
/// farthest apart, by places, normals and how far they are below the margin.
///
/// Features: the body's vertex or corner (0 of one without), with the part of the hole and which of
/// its points.

#include "scree/geometry/hulls/hull.hpp"
#include "scree/geometry/pairs/manifold.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/round_hole.hpp"

namespace scree {

/// The deepest point of a body and a hole, and the others whose gap is below @p margin. For
/// capsules, boxes, polyhedra, ellipsoids and any other by its ConvexShape. Not collective, does
/// not throw.
template <class A>
Manifold hole_contact(const A& a, const Pose& pose_a, const RoundHole& hole, const Pose& pose_b,
                      double margin);

}  // namespace scree
