#include "scree/contact/pair_impact.hpp"

#include <cmath>
#include <numbers>

#include "scree/contact/restitution.hpp"

namespace scree {

bool follows_hertz(const PairElasticity& law) {
  return law.stiffness == 0.0 && law.options.law == StiffnessLaw::hertz;
}

double normal_stiffness(const PairElasticity& law, const ContactSite& site) {
  return normal_spring_of(terms_of(law, site.radius_a, site.radius_b), site).stiffness;
}

double overlap_of_impact(const PairElasticity& law, const ContactSite& site, double speed) {
  const double k = normal_stiffness(law, site);
  const double linear = speed * std::sqrt(site.mass / k);
  if (!follows_hertz(law) || k * linear <= law.options.reference_force) return linear;
  const double radius = effective_radius(site.radius_a, site.radius_b);
  return hertz_impact_overlap(law.effective_modulus, radius, site.mass, speed);
}

double duration_of_contact(const PairElasticity& law, const ContactSite& site, double speed) {
  const double k = normal_stiffness(law, site);
  const double overlap = overlap_of_impact(law, site, speed);
  if (!follows_hertz(law) || k * overlap <= law.options.reference_force) {
    return std::numbers::pi * std::sqrt(site.mass / k);
  }
  return 2.94 * overlap / speed;  // Johnson, Contact Mechanics, 1985, section 11.4
}

double restitution_in_steps(const PairElasticity& law, double share) {
  const double q = std::numbers::pi * share;
  const SpringLoss given{.zeta = law.damping};
  return restitution_of(law.has_restitution ? loss_within_step(law.damping, q) : given, q);
}

double share_for_restitution(const PairLaw& law, double most) {
  double share = most;
  while (law.restitution - restitution_in_steps(law.elasticity, share) > kNearRestitution) {
    share *= 0.99;
  }
  return share;
}

}  // namespace scree
