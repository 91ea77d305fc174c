#pragma once

/// The inelastic outcome of an impact problem of any size:
///
///     0 <= l  _|_  A^T (y + A l) + o >= 0
///
/// Symbols as in energy_space.hpp. Where contacts are few it is exact (nonnegative_minimum.hpp).
/// Else it is found by sweeps over the contacts, overrelaxed, from zero (projected SOR),
///
///     l_i = max(l_i - omega (a_i . y + o_i), 0),    y = y + a_i (change of l_i),
///
/// which lower the energy with every contact. After one over all contacts they visit those alone
/// whose bodies a change has moved, until one over all finds nothing more to change; where they are
/// slow, as below a heavy body, it goes on by accelerated gradient steps (base/gradient_pace.hpp);
/// and it is scaled to the least energy along what they give. So the energy never grows however
/// soon they end. Nothing of the size of contacts squared is stored.
/// Reference: C. W. Cryer, The solution of a quadratic programming problem using systematic
/// overrelaxation, SIAM J. Control 9 (1971); B. O'Donoghue, E. Candes, Adaptive restart for
/// accelerated gradient schemes, Found. Comput. Math. 15 (2015).

#include "scree/impact/energy_space.hpp"
#include "speeds_left.hpp"

namespace scree {

/// l of every contact from y = @p start. Not collective.
/// @param resting approach of each of many contacts that is left where it has no impulse, sqrt(J);
/// empty: none. Of one with an impulse a hundredth is left, since shares of the energy,
/// and the depth of a bed, add up what is left there. The more rests, the sooner the search ends:
/// at 1e-4 to 1e-3 of the approach before, over all contacts.
FoundImpulses inelastic_outcome(const EnergySpace& space, const Eigen::VectorXd& start,
                                const Eigen::VectorXd& resting = {});

}  // namespace scree
