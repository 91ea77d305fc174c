#pragma once

/// The springs of compliant pairs in the recursions of a step (step/recursion.hpp).
///
/// All constraints of a pair stay, those of the start and those that each solve was found to lack,
/// and the pair's stiffness is shared among them. They are to be one spring, which the deepest of
/// the points compresses. With the impulses and velocities of all other pairs as the last solve
/// left them, one spring bears
///
///     0 <= l_i  _|_  e_i + sum_j (n_i . M^-1 n_j + c_ij R) (l_j - l_j^prev) + sum_j c_ij R l_j^prev >= 0
///
/// and R of a row of its own, which gives the same velocities for the same l, is
///
///     R_i = s_i R,      s_i = sum_j c_ij l_j / l_i,      c_ij = max(0, n_i . n_j)
///
/// | symbol | meaning                                                           | unit |
/// | ---    | ---                                                               | ---  |
/// | l_i    | normal impulse                                                    | N s  |
/// | e_i    | J v of the last solve and the bias of the row, without its spring | m/s  |
/// | R      | compliance of the pair at one point                               | 1/kg |
/// | s_i    | Contact::sharing                                                  | 1    |
/// | n_i    | normal; n_i . M^-1 n_j stands for the entry of J M^-1 J^T         | 1    |
///
/// Points that bear alike have s_i = sum_j c_ij, as those of a manifold have (contact/sharing.cpp).
/// A point that bears nothing keeps a little.
///
/// A further constraint begins as its nearest: with its rest gap, its stiffness where that follows
/// from the overlap of the start, and its tangential force turned with the normal. Tangential
/// forces are shared as stiffness is, so that the stretch of a spring stays.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "scree/contact/contact.hpp"
#include "scree/problem/assemble.hpp"

namespace scree {

/// A contact, what it carries and what it bears.
struct LoadedContact {
  Contact contact;
  ContactHistory history;
  double load = 0.0;                     ///< l^prev, N s
  Vec3 tangential_force = Vec3::Zero();  ///< the rest of the impulse over dt, N
  double speed = 0.0;                    ///< e, m/s
  double softness = 0.0;                 ///< R, 1/kg
  double bias_share = 1.0;  ///< bias over gap/dt where the spring is compressed at the start
};

/// l >= 0 with N l + r >= 0 and no work between them, by Gauss-Seidel from @p start; rows without a
/// diagonal keep it
Eigen::VectorXd impulses_of_pair(const Eigen::MatrixXd& n, const Eigen::VectorXd& r,
                                 Eigen::VectorXd start);

/// Has @p points, all those of one pair, share its stiffness, and sets what they will bear.
/// @param inverse_mass_a, @param inverse_mass_b zero of a tool. Not collective.
void share_stiffness(std::span<LoadedContact> points, const Mat6& inverse_mass_a,
                     const Mat6& inverse_mass_b);

/// @p found as a further one of the @p points of its pair, which may be none. @param speed J v of
/// it, m/s. Not collective.
LoadedContact joined(const Contact& found, double speed, double dt,
                     std::span<const LoadedContact> points);

}  // namespace scree
