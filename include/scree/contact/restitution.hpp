#pragma once

/// The restitution of a linear compliant contact, in closed form.
///
/// Two bodies of the effective mass m meet with the stiffness k and the dashpot c, and no other
/// force: zeta = c/(2 sqrt(k m)), q = dt sqrt(k/m) = pi dt/T, where T = pi sqrt(m/k) is how long
/// they touch without damping. A step is implicit, x_n = x_(n-1) + dt v_n with v_n = v_(n-1) - dt/m
/// (k x_n + c v_n), x being the overlap: so x_n and v_n are multiples of rho^-n cos(n theta + ...),
/// with
///
///     rho^2 = 1 + 2 zeta q + q^2,      tan theta = q sqrt(1 - zeta^2)/(1 + zeta q)
///
/// From x_0 = 0 on v_n/v_0 = rho^-n cos(n theta + asin zeta)/sqrt(1 - zeta^2), and the force goes
/// with sin(n theta + 2 asin zeta). It would pull from n theta = 2 acos zeta on, where the velocity
/// is -rho^-n v_0 and the contact ends:
///
///     e = (1 + 2 zeta q + q^2)^(-acos(zeta)/theta)
///
/// For zeta > 1 acos and theta are both imaginary, and their ratio is real. For q -> 0 this is the
/// dashpot of Schwager and Poeschel (Granular Matter 9, 2007), e = exp(-2 zeta acos(zeta)/sqrt(1 -
/// zeta^2)); for zeta = 0 it is what the time step alone takes, (1 + q^2)^(-pi/(2 atan q)).
///
/// Exact where n is whole and the contact closes at the start of a step; in between, e depends a
/// little on the gap at the start of the first step, and this is its middle
/// (tests/unit/contact/restitution_test.cpp has by how much). No MPI.

namespace scree {

/// e, speed of parting over speed of approach. @p zeta >= 0, @p q > 0.
double restitution_of(double zeta, double q);

}  // namespace scree
