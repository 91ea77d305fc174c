#pragma once

/// The stiffness of one contact, and what it means in one implicit step:
/// R in N = J M^-1 J^T + R, and the bias in r.
///
/// The force at the end of the step on a contact with the gap phi at its start is
///
///     F_n = -k_n (s phi + dt u_n) - c u_n      where phi < 0;  s: bias_share
///         = -(k_n dt + c) (phi/dt + u_n)       where phi >= 0
///
/// and never pulls. With lambda = dt F that is u_n + bias + R_n lambda >= 0, with
///
///     R_n = 1/(dt (dt k_n + c)),      bias = s phi/dt  k_n dt/(k_n dt + c)  where phi < 0, else phi/dt
///     R_t = 1/(dt^2 k_t)
///
/// k_n is the derivative of the force, and s k_n |phi| the force at the start of the step: s is 1
/// where the force is proportional to the overlap and 2/3 on Hertz's d^(3/2). Law `hertz` is linear
/// up to the overlap of the reference force, where both forces agree, since a tangent at no overlap
/// has no stiffness: so soft is the step in which two bodies meet.
///
/// Stiffnesses in N/m, c in N s/m, R in 1/kg, gaps in m, bias in m/s. No MPI.

#include <algorithm>
#include <cmath>

#include "scree/bodies/materials.hpp"
#include "scree/contact/cube_root.hpp"

namespace scree {

/// Where two bodies A and B touch.
struct ContactSite {
  double radius_a = 0.0;  ///< m
  double radius_b = 0.0;  ///< m; kFlat where it is a wall
  double mass = 0.0;      ///< kg: 1/(1/m_A + 1/m_B), where a tool's mass is infinite
  double gap = 0.0;       ///< m, at the start of the step; negative where they overlap
  double sharing = 1.0;   ///< among how many points the pair's stiffness is shared (sharing.hpp)
};

struct ContactStiffness {
  double normal = 0.0;      ///< k_n, N/m
  double tangential = 0.0;  ///< k_t, N/m
  double damping = 0.0;     ///< c, N s/m
  double bias_share = 1.0;  ///< s

  /// R_n, 1/kg.
  double normal_compliance(double dt) const { return 1.0 / (dt * (dt * normal + damping)); }
  /// R_t, 1/kg.
  double tangential_compliance(double dt) const { return 1.0 / (dt * dt * tangential); }
  /// The velocity that a @p gap adds to the normal velocity, m/s.
  double normal_bias(double gap, double dt) const {
    const double share = gap < 0.0 ? bias_share * (normal * dt / (normal * dt + damping)) : 1.0;
    return gap / dt * share;
  }
};

/// What a law says of the stiffness at any site, so that no choice between laws is left:
///
///     k_n = fixed + linear R*^(1/3)      where d^3 R* <= least,      2 modulus (R* d)^(1/2)      elsewhere
///
/// with the overlap d = -gap. A law that is not Hertz's has no overlap of its own.
struct StiffnessTerms {
  double fixed = 0.0;             ///< N/m
  double linear = 0.0;            ///< at an effective radius of 1 m, N/m
  double modulus = 0.0;           ///< E* of Hertz's law, Pa
  double least = kFlat;           ///< m^4
  double tangential_ratio = 1.0;  ///< k_t/k_n
  double damping = 0.0;           ///< zeta
};

/// Inline, since all contacts of a step ask. @pre law.compliant()
inline StiffnessTerms terms_of(const PairElasticity& law, double radius_a, double radius_b) {
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

/// Without branches, for loops over many sites (base/triples.hpp).
inline ContactStiffness stiffness_of(const StiffnessTerms& terms, const ContactSite& site) {
  const double radius = 1.0 / (1.0 / site.radius_a + 1.0 / site.radius_b);
  const double overlap = std::max(-site.gap, 0.0);
  const bool is_hertz = overlap * overlap * overlap * radius > terms.least;
  // the overlap of the reference force falls with the root of the third order of the radius
  const double soft = terms.fixed + terms.linear * cube_root(radius);
  const double hertz = 2.0 * terms.modulus * std::sqrt(radius * overlap);
  const double normal = is_hertz ? hertz : soft;
  const double share = 1.0 / site.sharing;
  return {.normal = share * normal,
          .tangential = share * terms.tangential_ratio * normal,
          .damping = share * (2.0 * terms.damping * std::sqrt(normal * site.mass)),
          .bias_share = is_hertz ? 2.0 / 3.0 : 1.0};
}

/// @pre law.compliant()
inline ContactStiffness stiffness_of(const PairElasticity& law, const ContactSite& site) {
  return stiffness_of(terms_of(law, site.radius_a, site.radius_b), site);
}

}  // namespace scree
