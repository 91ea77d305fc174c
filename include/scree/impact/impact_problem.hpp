#pragma once

/// The problem of simultaneous impacts: bodies and contacts at one frozen instant.
///
///     u = J_a v_a + J_b v_b + bias,      v+ = v + M^-1 J^T lambda
///
/// | symbol | meaning                                                        | shape | unit    |
/// | ---    | ---                                                            | ---   | ---     |
/// | v      | velocity of a body: linear, then angular, world frame          | 6     | m/s, rad/s |
/// | M^-1   | inverse mass of a body about its centre of mass, so that its linear and its angular block stand apart; held degrees of freedom are zero rows | 6 x 6 | 1/kg .. |
/// | J_a    | block of a contact's first body: normal row, two tangent rows  | 3 x 6 | 1, m    |
/// | bias   | velocity of what has no body, as a wall that moves (with sign) | 3     | m/s     |
/// | u      | velocity of the contact, u_n > 0 separates                     | 3     | m/s     |
/// | lambda | impulse on the first body, contact frame                       | 3     | N s     |
///
/// The normal rows are the constraint gradients n_i of the paper (section 2); all contacts count as
/// active there, so the caller leaves out those that cannot close. Serial: one rank holds a problem
/// whole.
/// Reference: Vouga, Smith, Kaufman, Tamstorf, Grinspun, All's Well That Ends Well: Guaranteed Resolution of
/// Simultaneous Rigid Body Impact, ACM Trans. Graph. 36 (2017) (paper 000), section 2.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// A body that takes part, and its velocity before.
struct ImpactBody {
  std::int64_t id = 0;  ///< for messages
  Mat6 inverse_mass = Mat6::Zero();
  Vec6 velocity = Vec6::Zero();
};

/// The rows of a contact and one of its bodies: normal, tangent, tangent.
using ImpactRows = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;

struct ImpactContact {
  std::array<std::int32_t, 2> body{-1, -1};  ///< among the problem's bodies; negative: none
  std::array<ImpactRows, 2> rows{ImpactRows::Zero(), ImpactRows::Zero()};
  Vec3 bias = Vec3::Zero();
  double restitution = 1.0;  ///< of the pair, 0 to 1
  double friction = 0.0;     ///< of the pair; where zero the tangent rows are not read
  bool has_gap = false;      ///< it closes in the step: an implicit equality takes away its room
};

struct ImpactProblem {
  std::vector<ImpactBody> bodies;
  std::vector<ImpactContact> contacts;
};

/// The velocities of a problem's bodies, in their order.
using ImpactVelocities = std::vector<Vec6>;

ImpactVelocities velocities_of(const ImpactProblem& problem);

/// u of a contact under @p velocities, m/s, contact frame. Not collective.
Vec3 contact_velocity(const ImpactContact& contact, const ImpactVelocities& velocities);

/// u_n alone.
double normal_velocity(const ImpactContact& contact, const ImpactVelocities& velocities);

/// n^T M^-1 n of a contact, 1/kg: one over its reduced mass; 0 where nothing can move.
double inverse_reduced_mass(const ImpactProblem& problem, const ImpactContact& contact);

/// @p velocities += M^-1 J^T lambda of one contact.
void add_impulse(const ImpactProblem& problem, const ImpactContact& contact, const Vec3& lambda,
                 ImpactVelocities& velocities);

/// "of bodies 3, 8, 9 and 4 others (12 contacts)": which impact this is, for messages.
std::string name_of(const ImpactProblem& problem);

}  // namespace scree
