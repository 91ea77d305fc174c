#pragma once

/// How deep two bodies will overlap, before a run: by weight and by impacts. Not collective.

#include <string>

#include "scree/contact/stiffness.hpp"

namespace scree {

/// k_n at the start of a contact, N/m. @pre law.compliant()
double normal_stiffness(const PairElasticity& law, const ContactSite& site);

/// The overlap of two bodies under @p force, N; m.
double overlap_under(const PairElasticity& law, const ContactSite& site, double force);

/// The deepest overlap of two bodies that meet at @p speed, m/s, without damping; m.
double overlap_of_impact(const PairElasticity& law, const ContactSite& site, double speed);

/// How long two bodies touch that meet at @p speed, without damping, s. By Hertz's law it hangs on
/// the speed; where that is 0 it is of the reference force.
double duration_of_contact(const PairElasticity& law, const ContactSite& site, double speed);

/// How much stiffer a pair must be, and in which steps, for an overlap of a hundredth of
/// @p radius at @p speed; empty where it is so already.
std::string advice_on_stiffness(const PairElasticity& law, const ContactSite& site, double radius,
                                double speed);

}  // namespace scree
