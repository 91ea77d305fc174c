#pragma once

/// The restitution of a linear compliant contact, in closed form, and how a step is to take the
/// energy that a restitution asks for.
///
/// Two bodies of the effective mass m meet with the stiffness k and the dashpot c, and no other
/// force: zeta = c/(2 sqrt(k m)), q = dt sqrt(k/m) = pi dt/T, where T = pi sqrt(m/k) is how long
/// they touch without damping. A step is implicit, x_n = x_(n-1) + dt v_n with
///
///     v_n = v_(n-1) - dt/m (k (x_(n-1) + theta dt v_n) + c v_n)
///
/// x being the overlap, of which the spring feels the part theta of the step's motion: so x_n and
/// v_n are multiples of D^(-n/2) cos(n alpha + ...), with
///
///     D = 1 + 2 zeta q + theta q^2,      C = D^(1/2) cos alpha = 1 + zeta q - (1 - theta) q^2/2
///     S = D^(1/2) sin alpha = sqrt(D - C^2)
///
/// From x_0 = 0 on the force would pull from n = 2 atan2(S, C - 1)/alpha on, where v_n = -D^(-n/2)
/// v_0, and the contact ends:
///
///     e = D^(-atan2(S, C - 1)/atan2(S, C))
///
/// For S^2 < 0 both angles are imaginary, and their ratio is real. For q -> 0 this is the dashpot
/// of Schwager and Poeschel (Granular Matter 9, 2007), e = exp(-2 zeta acos(zeta)/sqrt(1 -
/// zeta^2)); the step alone is a dashpot of about theta q/2, as D tells.
///
/// Exact where n is whole and the contact closes at the start of a step; in between, e depends a
/// little on the gap at the start of the first step, and this is its middle
/// (tests/unit/contact/restitution_test.cpp has by how much). No MPI.

#include <algorithm>

namespace scree {

/// The losses of a spring in a step.
struct SpringLoss {
  double theta = 1.0;  ///< part of the step's motion that the spring feels, 1/2 to 1
  double zeta = 0.0;   ///< damping ratio of the dashpot
};

/// e, speed of parting over speed of approach. @pre zeta >= 0, theta in [1/2, 1], q > 0, and theta
/// = 1 where zeta > 1.
double restitution_of(const SpringLoss& loss, double q);

/// The least theta of steps of @p q. From 1/2 on no step of linear springs gains energy, however
/// many contacts there are: bodies lose sum F w and more to their impulses, w = dt u being how much
/// deeper a contact comes. Where F = k (x + theta w) + c u >= 0 the spring then holds k (x w +
/// w^2/2) more, which is at most F w. Where a contact closes in the step, to the overlap x' <= w,
/// it is F = (theta k + c/dt) x', and k x'^2/2 <= F w. Where F would pull and is 0, w < 0, and the
/// spring holds less.
///
/// The greater bound has no motion change its sign from step to step: the stiffest one of a dense
/// packing has four times the k/m of a pair (face-centred cubic, omega^2 = 8 k/m), and C >= 0 asks
/// for 4 (1 - theta) q^2 <= 2.
inline double least_theta(double q) {
  return std::max(0.5, 1.0 - 0.5 / (q * q));
}

/// How a step of @p q takes what a dashpot of the ratio @p zeta takes in short ones. The step's own
/// loss is a part of it, so that where that is too much, theta is less than 1. What a spring loses
/// falls short of zeta + theta q/2 by the quotient here, fitted to the closed form: e then comes
/// out within 0.002 where theta is above its least, for e from 0.05 on and q up to pi/2. Without
/// branches, for loops over many.
inline SpringLoss loss_within_step(double zeta, double q) {
  const double both = zeta / (1.0 + q / (2.6 + 2.4 * zeta + 1.2 * q));
  return {.theta = std::clamp(2.0 * both / q, least_theta(q), 1.0),
          .zeta = std::max(both - 0.5 * q, 0.0)};
}

}  // namespace scree
