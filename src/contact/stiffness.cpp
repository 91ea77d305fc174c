#include "scree/contact/stiffness.hpp"

#include <cmath>

#include "cube_root.hpp"

namespace scree {
namespace {

/// k_n and its share of the overlap, of all points together.
struct Normal {
  double stiffness;
  double bias_share = 1.0;
};

/// The overlap of the reference force falls with the root of the third order of the radius.
Normal linear(const PairElasticity& law, double radius) {
  return {.stiffness = law.reference_stiffness * cube_root(radius)};
}

Normal hertz(const PairElasticity& law, double radius, double overlap) {
  const double least = law.options.reference_force / law.reference_stiffness;  // at a radius of 1 m
  if (overlap * overlap * overlap * radius <= least * least * least) return linear(law, radius);
  return {.stiffness = hertz_tangent_stiffness(law.effective_modulus, radius, overlap),
          .bias_share = 2.0 / 3.0};
}

Normal normal_of(const PairElasticity& law, const ContactSite& site) {
  if (law.stiffness > 0.0) return {.stiffness = law.stiffness};
  const double radius = effective_radius(site.radius_a, site.radius_b);
  switch (law.options.law) {
    case StiffnessLaw::linear:
      return linear(law, radius);
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
