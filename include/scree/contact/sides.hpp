#pragma once

/// Walls that curve around a body, round holes and rings: a step knows them by planes.
///
/// They are the plane of the place that is nearest to a point of the body at the start, and those
/// of places to both sides, which hold a body that is too large for the hole on three points
/// (RoundHole::around, geometry/pairs/ring/ring_contact.hpp). Where the body comes to the wall at
/// another place, none of these has its normal: an impulse of the nearest plane keeps the angular
/// momentum about the axis, as the wall's own would, one of a side's does not, and with restitution
/// several may add energy. So
///
/// - a side of a ball that is apart at the start by more than kApartAtStart takes no impulse;
/// - at the end the body is no deeper in the wall than it may be in any other
/// (contact/passing.hpp).
///
/// A step that does otherwise is cut. A shorter part begins nearer to the place that is met: sides
/// are apart by the room in the hole at least, and behind its plane a wall falls with the square of
/// the way.
///
/// Other bodies than balls have points of their own on all sides of a wall, which bear as they come
/// to it.

#include <span>

#include "scree/contact/closing.hpp"

namespace scree {

/// In the inscribed radius of the pair's smaller grain: what rests on a side is nearer.
inline constexpr double kApartAtStart = 0.01;

/// Whether the wall of one of the bodies in slots @p a and @p b may be around the other.
bool is_in_wall(const Store& store, std::int32_t a, std::int32_t b);
/// And the other is a ball.
bool is_ball_in_wall(const Store& store, std::int32_t a, std::int32_t b);

/// Whether this rank knows a hole or a ring. Not collective.
bool any_around(const Store& store);

/// Whether this rank has a body that goes so far in the step, or a wall around bodies does, that
/// one may come behind the planes of the other. Not collective. @param end_velocity six numbers for
/// each block row  @param smallest_radius inscribed, of all grains, m
bool any_goes_far_in_wall(const Store& store, std::span<const double> end_velocity,
                          double smallest_radius, double dt);

/// How a step was solved.
struct SolvedStep {
  double dt;              ///< s
  double velocity_error;  ///< by which a contact misses its law at most, m/s
};

/// The ball of @p contacts that is pressed on a side that is apart at the start, as one that goes
/// too far. Not collective. @pre contacts of a pair follow each other
/// @param normal_impulses of each contact, N s
Travel furthest_on_sides(const Store& store, ContactView contacts,
                         std::span<const double> normal_impulses, const SolvedStep& step);

}  // namespace scree
