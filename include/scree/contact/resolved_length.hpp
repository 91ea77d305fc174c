#pragma once

/// How long a step may be at most, so that it resolves what two bodies do that may meet in it.
///
/// 1. Travel. Normals and arms are those of the step's start: no point of one body comes further
///    against the other than kTravel of the smaller inscribed radius.
/// 2. Impacts of bodies that yield. They touch for a time T (contact/pair_impact.hpp), and a step
///    of dt takes the part dt/T of it. It is to be that at which the restitution comes out, and
///    kImpactShare at most. Bodies that are apart by a gap and approach with u are to come to the
///    touch before: dt <= phi/(2 u), where that is longer.
///
/// A bed at rest has no impacts. Too slow to be one is what is slower than kQuiet of the speed that
/// forces but those of contacts give the two in the longest step: what such an impact throws up
/// comes down within that step. (An impact of that speed itself is below kQuiet of it for a sixth
/// of T only, where it is deepest.) Too shallow is what compresses a contact by less than
/// kShallowest of the radius: errors of solves do.
///
/// No MPI.

#include "scree/contact/pair_impact.hpp"

namespace scree {

inline constexpr double kTravel = 0.25;
inline constexpr double kImpactShare = 0.2;
inline constexpr double kQuiet = 0.25;
inline constexpr double kShallowest = 1e-6;

/// The longest step, s, in which a body that comes against another at @p speed, m/s, goes no
/// further than kTravel of @p radius, m.
inline double length_for_travel(double speed, double radius) {
  return kTravel * radius / speed;
}

/// Two bodies that touch, or come to.
struct Approach {
  double speed = 0.0;   ///< of their points along the normal, m/s; negative where they part
  double gap = 0.0;     ///< m
  double radius = 0.0;  ///< the smaller inscribed one, m
  double given = 0.0;   ///< speed that forces but those of contacts give in the longest step, m/s
};

/// Whether it is an impact by its speed, or the end of one: two that are apart and part are not.
bool is_impact(const Approach& two);

/// The longest step, s, that resolves their impact; infinity where it is too shallow. @p share: of
/// share_of_impact(law). @pre is_impact(two), law.compliant()
double length_for_impact(const Approach& two, const PairElasticity& law, const ContactSite& site,
                         double share);

/// dt/T of impacts by @p law.
double share_of_impact(const PairLaw& law);

}  // namespace scree
