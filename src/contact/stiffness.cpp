#include "scree/contact/stiffness.hpp"

namespace scree {

StiffnessTerms terms_of(const PairElasticity& law, double radius_a, double radius_b) {
  StiffnessTerms terms{.tangential_ratio = law.tangential_ratio, .damping = law.damping};
  if (law.stiffness > 0.0) {
    terms.fixed = law.stiffness;
  } else if (law.options.law == StiffnessLaw::rod) {
    terms.fixed = rod_stiffness(law.a, radius_a, law.b, radius_b);
  } else {
    terms.linear = law.reference_stiffness;
    if (law.options.law == StiffnessLaw::linear) return terms;
    const double least =
        law.options.reference_force / law.reference_stiffness;  // at a radius of 1 m
    terms.modulus = law.effective_modulus;
    terms.least = least * least * least;
  }
  return terms;
}

}  // namespace scree
