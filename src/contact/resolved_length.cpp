#include "scree/contact/resolved_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree {

bool is_impact(const Approach& two) {
  const double speed = two.gap > 0.0 ? two.speed : std::abs(two.speed);
  return speed > kQuiet * two.given;
}

double length_for_impact(const Approach& two, const PairElasticity& law, const ContactSite& site,
                         double share) {
  const double speed = std::abs(two.speed);
  const double duration = duration_of_contact(law, site, speed);
  if (speed * duration <= std::numbers::pi * kShallowest * two.radius) {
    return std::numeric_limits<double>::infinity();
  }
  return std::max(share * duration, 0.5 * two.gap / speed);
}

double share_of_impact(const PairLaw& law) {
  return share_for_restitution(law, kImpactShare);
}

}  // namespace scree
