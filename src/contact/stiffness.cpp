#include "scree/contact/stiffness.hpp"

#include <cmath>

namespace scree {
namespace {

/// k_n and its share of the overlap, of all points together.
struct Normal {
  double stiffness;
  double bias_share = 1.0;
};

Normal hertz(const PairElasticity& law, double radius, double overlap) {
  const double modulus = law.effective_modulus;
  const double force = law.options.reference_force;
  const double least = hertz_overlap(modulus, radius, force);
  if (overlap <= least) return {.stiffness = force / least};
  return {.stiffness = hertz_tangent_stiffness(modulus, radius, overlap), .bias_share = 2.0 / 3.0};
}

Normal normal_of(const PairElasticity& law, const ContactSite& site) {
  if (law.stiffness > 0.0) return {.stiffness = law.stiffness};
  const double radius = effective_radius(site.radius_a, site.radius_b);
  switch (law.options.law) {
    case StiffnessLaw::linear:
      return hertz(law, radius, 0.0);
    case StiffnessLaw::hertz:
      return hertz(law, radius, -site.gap);
    case StiffnessLaw::rod:
      break;
  }
  return {.stiffness = rod_stiffness(law.a, site.radius_a, law.b, site.radius_b)};
}

}  // namespace

ContactStiffness stiffness_of(const PairElasticity& law, const ContactSite& site) {
  const Normal normal = normal_of(law, site);
  const double share = 1.0 / site.sharing;
  const double damping =
      law.damping > 0.0 ? 2.0 * law.damping * std::sqrt(normal.stiffness * site.mass) : 0.0;
  return {.normal = share * normal.stiffness,
          .tangential = share * law.tangential_ratio * normal.stiffness,
          .damping = share * damping,
          .bias_share = normal.bias_share};
}

}  // namespace scree
