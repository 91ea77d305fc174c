#pragma once

/// Elastic contact of two round bodies: what Young's moduli and radii mean as a stiffness.
///
/// Hertz (Johnson, Contact Mechanics, 1985, sections 4.2 and 7.4), for an overlap d:
///
///     1/E* = (1 - nu_A^2)/E_A + (1 - nu_B^2)/E_B,      1/R* = 1/r_A + 1/r_B
///     F = 4/3 E* sqrt(R*) d^(3/2),                     k_n = dF/dd = 2 E* sqrt(R* d)
///
/// Mindlin, for a tangential displacement that does not slip, a = sqrt(R* d) being the contact's
/// radius:
///
///     1/G* = (2 - nu_A)/G_A + (2 - nu_B)/G_B,  G = E/(2 (1 + nu)),      k_t = 8 G* a
///     k_t/k_n = 4 G*/E* = 2 (1 - nu)/(2 - nu) for equal materials: 0.824 at nu = 0.3
///
/// Rod: paper 004, eq. 33 (after Obermayr et al., 2011), k_n = pi/4 E (r_A + r_B), with the same
/// k_t/k_n.
///
/// Moduli in Pa, radii and overlaps in m, forces in N, stiffnesses in N/m. No MPI.

#include <limits>

namespace scree {

/// A flat body's radius.
inline constexpr double kFlat = std::numeric_limits<double>::infinity();

struct Elastic {
  double young_modulus = 0.0;  ///< E, Pa; 0: rigid, the limit of an infinite modulus
  double poisson_ratio = 0.3;  ///< nu

  bool rigid() const { return young_modulus == 0.0; }
};

/// E*, Pa. A rigid partner adds nothing to the compliance. @pre not both are rigid.
double effective_modulus(const Elastic& a, const Elastic& b);

/// k_t/k_n. Two rigid bodies, whose contact has a stiffness of its own, count as equally stiff.
double tangential_ratio(const Elastic& a, const Elastic& b);

/// R*, m; that of the other body where one is kFlat.
double effective_radius(double radius_a, double radius_b);

/// F(d) for a @p modulus E* and a @p radius R*. @pre overlap >= 0.
double hertz_force(double modulus, double radius, double overlap);

/// d(F), its inverse. @pre force >= 0.
double hertz_overlap(double modulus, double radius, double force);

/// dF/dd.
double hertz_tangent_stiffness(double modulus, double radius, double overlap);

/// The deepest overlap of an impact at @p speed (m/s) of two bodies of the effective @p mass (kg)
/// without loss: m v^2/2 = 8/15 E* sqrt(R*) d^(5/2).
double hertz_impact_overlap(double modulus, double radius, double mass, double speed);

/// Stiffness of a rod between the two centres with the section pi/4 (r_A + r_B)^2, of A's material
/// along r_A and of B's along r_B: pi/4 (r_A + r_B)^2 / (r_A/E_A + r_B/E_B), which is eq. 33 where
/// both materials are one. A flat body counts as one of the other's radius. @pre not both are
/// rigid, and not both are flat.
double rod_stiffness(const Elastic& a, double radius_a, const Elastic& b, double radius_b);

/// The zeta of a linear spring with the dashpot c = 2 zeta sqrt(k m), never pulling, with which two
/// bodies part at @p restitution times the speed of their approach, 0 < restitution <= 1: the
/// inverse of e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)) (Schwager and Poeschel, Granular Matter
/// 9, 2007). For Hertz's law, with its tangent stiffness in c, sqrt(5/6) times as much gives the
/// same e at any speed (tests/unit/contact/restitution_test.cpp integrates it).
double damping_ratio_of(double restitution);

}  // namespace scree
