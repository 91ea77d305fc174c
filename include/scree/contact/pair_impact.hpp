#pragma once

/// Figures of an impact of two bodies whose contact yields: how deep, how long, and how much of the
/// speed comes back in steps of some length. Not collective.

#include "scree/bodies/materials.hpp"
#include "scree/contact/stiffness.hpp"

namespace scree {

/// Whether the stiffness goes with the load.
bool follows_hertz(const PairElasticity& law);

/// k_n at the start of a contact, N/m. @pre law.compliant()
double normal_stiffness(const PairElasticity& law, const ContactSite& site);

/// The deepest overlap of two bodies that meet at @p speed, m/s, in short steps; m.
double overlap_of_impact(const PairElasticity& law, const ContactSite& site, double speed);

/// How long two bodies touch that meet at @p speed, without damping, s. By Hertz's law it hangs on
/// the speed; where that is 0 it is of the reference force.
double duration_of_contact(const PairElasticity& law, const ContactSite& site, double speed);

/// The speed at which two bodies part, over that of their approach, where a step takes the part @p
/// share of the duration of their contact.
double restitution_in_steps(const PairElasticity& law, double share);

/// The longest step, over the duration of a contact, in which two bodies part at a restitution near
/// to that of @p law, up to @p most.
double share_for_restitution(const PairLaw& law, double most);

/// By how much a restitution that comes near enough may fall short.
inline constexpr double kNearRestitution = 0.02;

}  // namespace scree
