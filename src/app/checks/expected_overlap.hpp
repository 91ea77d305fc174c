#pragma once

/// How deep two bodies will overlap, before a run: by weight and by impacts. Not collective.

#include <string>

#include "scree/contact/stiffness.hpp"

namespace scree {

/// The overlap of two bodies under @p force, N; m.
double overlap_under(const PairElasticity& law, const ContactSite& site, double force);

/// How much stiffer a pair must be, and in which steps, for an overlap of a hundredth of
/// @p radius at @p speed; empty where it is so already.
std::string advice_on_stiffness(const PairElasticity& law, const ContactSite& site, double radius,
                                double speed);

}  // namespace scree
