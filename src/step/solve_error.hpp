#pragma once

/// Which of the overlaps at a step's end a loose solve left itself, by missing the rows that a pair
/// has: they ask for a tighter solve, not for another row.
///
/// With the velocities v of the solve, a row of a pair with the gap g is missed by
///
///     e = max(0, a - (g + dt J v)),       a = min(g + recovered, 0) at the start; rows found later have it in g
///
/// An overlap that is no more than the largest e of the pair's rows and half the tolerance is the
/// solve's. Where no row is missed by more than the other half, no overlap beyond the tolerance is.

#include <span>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/step/recursion.hpp"

namespace scree {

/// J v of the normal with @p velocities of each slot (Trial), m/s. Not collective.
SCREE_INLINE double normal_speed(const Contact& contact, std::span<const Vec6> velocities) {
  const auto of = [&](std::int32_t slot, const Vec3& arm) -> Vec3 {
    const Vec6& v = velocities[static_cast<std::size_t>(slot)];
    return v.head<3>() + v.tail<3>().cross(arm);
  };
  return contact.normal.dot(of(contact.a, contact.arm_a) - of(contact.b, contact.arm_b));
}

/// The largest e of @p contacts, those of this rank, m. @p recovered: the overlap of each that its
/// row undoes in the step, m. Not collective.
double largest_miss(ContactView contacts, std::span<const double> recovered, const Trial& trial,
                    double dt);

/// Erases from @p constraints, which pulled_back() gave of @p trial, those of overlaps that the
/// solve left itself.
/// @p contacts: those of the solve. @p tolerance, relative, and @p dt as there.
/// Not collective.
void erase_errors_of_solve(const Store& bodies, ContactView contacts,
                           std::span<const double> recovered, const Trial& trial, double tolerance,
                           double dt, std::vector<Contact>& constraints);

}  // namespace scree
