#pragma once

/// The stiffness of one contact, and what it means in one implicit step:
/// R in N = J M^-1 J^T + R, and the bias in r.
///
/// The force at the end of the step on a contact with the gap phi at its start is
///
///     F_n = -k_n (s phi + theta dt u_n) - c u_n      where phi < 0;  s: bias_share
///         = -(theta k_n dt + c) (phi/dt + u_n)       where phi >= 0
///
/// and never pulls. With lambda = dt F that is u_n + bias + R_n lambda >= 0, with
///
///     R_n = 1/(dt (theta dt k_n + c))
///     bias = s phi k_n/(theta k_n dt + c)  where phi < 0, else phi/dt
///     R_t = 1/(dt^2 k_t)
///
/// The spring feels the part theta of the step's motion: 1, unless the pair's restitution asks for
/// less loss than such a step has (restitution.hpp). Tangents are always those of 1.
///
/// k_n is how the force grows with the overlap, and s k_n |phi| the force at the start of the step:
/// s is 1 where the force is proportional to the overlap.
///
/// Hertz's force a d^(3/2) is taken by its secant, from the overlap d at the start of the step to
/// the d' that is expected at its end. With p = sqrt(d) and r = sqrt(d'),
///
///     k_n = (F(d') - F(d))/(d' - d) = a (r^2 + r p + p^2)/(r + p),    s = p (r + p)/(r^2 + r p + p^2)
///
/// and where d' comes the force of the step is the mean one, of which the work is what the spring
/// stores (a discrete gradient: Gonzalez, J. Nonlinear Sci. 6, 1996), and the part theta - 1/2 of
/// its increase, as with a linear spring:
///
///     F_n = (U(d') - U(d))/(d' - d) + (theta - 1/2) (F(d') - F(d)),     U = 2/5 a d^(5/2)
///         = F(d) + (theta - w) k_n (d' - d),     w = (r - p) (r^2 + 3 r p + p^2)/(10 (r + p) (r^2 + r p + p^2))
///
/// so that the theta above is theta - w. At d' = d this is the tangent. A force that is stiffer
/// than that of the overlap that comes takes energy, a softer one gives some: law `hertz` is linear
/// up to the overlap of the reference force, where both forces agree, so that no contact that
/// others close within the step is without a stiffness.
///
/// Stiffnesses in N/m, c in N s/m, R in 1/kg, gaps in m, bias in m/s. No MPI.

#include <algorithm>
#include <cmath>

#include "scree/bodies/materials.hpp"
#include "scree/contact/cube_root.hpp"
#include "scree/contact/restitution.hpp"

namespace scree {

/// Where two bodies A and B touch.
struct ContactSite {
  double radius_a = 0.0;  ///< m
  double radius_b = 0.0;  ///< m; kFlat where it is a wall
  /// kg: 1/(1/m_A + 1/m_B), where a tool's mass is infinite; for a restitution with what turns,
  /// where the pair has one point
  double mass = 0.0;
  double gap = 0.0;  ///< m, at the start of the step; negative where they overlap
  /// m: how much deeper than they overlap at its start the step is expected to bring them; negative
  /// where it is less deep
  double deepening = 0.0;
  double sharing = 1.0;  ///< among how many points the pair's stiffness is shared (sharing.hpp)
};

struct ContactStiffness {
  double normal = 0.0;      ///< k_n, N/m
  double tangential = 0.0;  ///< k_t, N/m
  double damping = 0.0;     ///< c, N s/m
  double bias_share = 1.0;  ///< s
  double theta = 1.0;       ///< less w by Hertz's law

  /// R_n, 1/kg.
  double normal_compliance(double dt) const { return 1.0 / (dt * (theta * dt * normal + damping)); }
  /// R_t, 1/kg.
  double tangential_compliance(double dt) const { return 1.0 / (dt * dt * tangential); }
  /// The velocity that a @p gap adds to the normal velocity, m/s.
  double normal_bias(double gap, double dt) const {
    const double share =
        gap < 0.0 ? bias_share * (normal * dt / (theta * normal * dt + damping)) : 1.0;
    return gap / dt * share;
  }
};

/// What a law says of the stiffness at any site, so that no choice between laws is left:
///
///     k_n = fixed + linear R*^(1/3)      where d^3 R* <= least at start and end,      Hertz's elsewhere
///
/// with a = 4/3 modulus R*^(1/2). A law that is not Hertz's has no overlap of its own.
struct StiffnessTerms {
  double fixed = 0.0;             ///< N/m
  double linear = 0.0;            ///< at an effective radius of 1 m, N/m
  double modulus = 0.0;           ///< E* of Hertz's law, Pa
  double least = kFlat;           ///< m^4
  double tangential_ratio = 1.0;  ///< k_t/k_n
  double damping = 0.0;           ///< zeta
  double restitution = 0.0;  ///< 1: zeta is that of dashpot and step together; 0: the dashpot's
};

/// Inline, since all contacts of a step ask. @pre law.compliant()
inline StiffnessTerms terms_of(const PairElasticity& law, double radius_a, double radius_b) {
  StiffnessTerms terms{.tangential_ratio = law.tangential_ratio,
                       .damping = law.damping,
                       .restitution = law.has_restitution ? 1.0 : 0.0};
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

/// Whether the stiffness goes with the overlap.
inline bool is_hertz(const PairElasticity& law) {
  return law.stiffness == 0.0 && law.options.law == StiffnessLaw::hertz;
}

/// The spring of a normal.
struct NormalSpring {
  double stiffness = 0.0;   ///< k_n of the pair's one contact, N/m
  double bias_share = 1.0;  ///< s
  double lead = 0.0;        ///< w
  /// The damping ratio that takes from an impact what 1 takes from that of a linear spring
  /// (bodies/elasticity.hpp).
  double damping_share = 1.0;
};

/// Without branches, as stiffness_of().
inline NormalSpring normal_spring_of(const StiffnessTerms& terms, const ContactSite& site) {
  const double radius = 1.0 / (1.0 / site.radius_a + 1.0 / site.radius_b);
  const double start = std::max(-site.gap, 0.0);
  const double end = std::max(start + site.deepening, 0.0);
  const double deeper = std::max(start, end);
  const bool is_hertz = deeper * deeper * deeper * radius > terms.least;
  // the overlap of the reference force falls with the root of the third order of the radius
  const double soft = terms.fixed + terms.linear * cube_root(radius);
  const double p = std::sqrt(start);
  const double r = std::sqrt(end);
  const double sum = r + p;
  const double squares = end + r * p + start;
  const double hertz = 4.0 / 3.0 * terms.modulus * std::sqrt(radius) * squares / sum;
  constexpr double kHertzDamping = 0.91287092917527690;  // sqrt(5/6)
  return {.stiffness = is_hertz ? hertz : soft,
          .bias_share = is_hertz ? p * sum / squares : 1.0,
          .lead = is_hertz ? (r - p) * (squares + 2.0 * r * p) / (10.0 * sum * squares) : 0.0,
          .damping_share = is_hertz ? kHertzDamping : 1.0};
}

/// In a step of @p dt. Without branches, for loops over many sites (base/triples.hpp).
inline ContactStiffness stiffness_of(const StiffnessTerms& terms, const ContactSite& site,
                                     double dt) {
  const auto [normal, bias_share, lead, damping_share] = normal_spring_of(terms, site);
  const double share = 1.0 / site.sharing;
  const double frequency = std::sqrt(normal / site.mass);  // 1/s
  const SpringLoss within = loss_within_step(damping_share * terms.damping, dt * frequency);
  const bool is_given = terms.restitution == 0.0;
  const double zeta = is_given ? terms.damping : within.zeta;
  return {.normal = share * normal,
          .tangential = share * terms.tangential_ratio * normal,
          .damping = share * (2.0 * zeta * site.mass * frequency),
          .bias_share = bias_share,
          .theta = (is_given ? 1.0 : within.theta) - lead};
}

/// The ContactSite::deepening of two bodies that go toward each other at @p speed (m/s) at the
/// start of the step, if nothing but their own spring holds them: the x of
///
///     x (1 + dt (dt theta k_n + c)/m) = dt speed - max(gap, 0)
///
/// The force that the spring has at the start is left out, since what bears a contact at rest is
/// not known here: in impacts x is more than what comes, by dt^2 F/m, which moves the secant
/// little. theta k_n is nearly that without an overlap at the start, as x^(1/2), or hardly hangs on
/// x: the first guess is exact in the one case, what follows from it in the other, and between them
/// it is within 7 % of x. Without branches, as stiffness_of().
inline double expected_deepening(const StiffnessTerms& terms, const ContactSite& site, double speed,
                                 double dt) {
  const double beyond_gap = dt * speed - std::max(site.gap, 0.0);
  const double way = site.gap < 0.0 ? beyond_gap : std::max(beyond_gap, 0.0);
  const auto share_of = [&](double deepening) {  // of the way, with the spring of this deepening
    const ContactStiffness spring = stiffness_of(terms,
                                                 {.radius_a = site.radius_a,
                                                  .radius_b = site.radius_b,
                                                  .mass = site.mass,
                                                  .gap = site.gap,
                                                  .deepening = deepening},
                                                 dt);
    return 1.0 / (1.0 + dt * (dt * spring.theta * spring.normal + spring.damping) / site.mass);
  };
  const double first = share_of(way);
  return way * share_of(way * cube_root(first * first));
}

/// @pre law.compliant()
inline ContactStiffness stiffness_of(const PairElasticity& law, const ContactSite& site,
                                     double dt) {
  return stiffness_of(terms_of(law, site.radius_a, site.radius_b), site, dt);
}

}  // namespace scree
