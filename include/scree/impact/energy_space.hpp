#pragma once

/// An impact problem in coordinates whose Euclidean norm is the energy norm, so that the paper's
/// metric disappears from all that follows:
///
///     v = S y + v_held,   S S^T = M^-1,   |y|^2 = v^T M v,      a_i = s_i S^T n_i,   s_i = (n_i^T M^-1 n_i)^(-1/2)
///     s_i u_i = a_i . y + o_i,            v+ = v + M^-1 n_i (s_i l)   is   y+ = y + a_i l
///
/// | symbol | meaning                                                  | shape | unit        |
/// | ---    | ---                                                      | ---   | ---         |
/// | y      | velocity in the energy norm, six entries a body          | d     | sqrt(J)     |
/// | a_i    | column of A: gradient of a contact, |a_i| = 1 (the paper's convention n^T M^-1 n = 1) | d | 1 |
/// | s_i    | one over the contact's unit; 0 where nothing can move, and a_i = 0 there | m | sqrt(kg) |
/// | o_i    | s_i times what walls and held degrees of freedom add to u_i | m  | sqrt(J)     |
/// | l_i    | impulse, s_i l_i in N s                                  | m     | sqrt(J)     |
///
/// Reference: paper 000, section 2.

#include <vector>

#include "scree/impact/gram.hpp"
#include "scree/impact/impact_problem.hpp"

namespace scree {

/// S = vectors diag(values) of a body, from the eigenvectors of M^-1; values are zero on what is
/// held.
struct MassRoot {
  Mat6 vectors = Mat6::Identity();
  Vec6 values = Vec6::Zero();
  bool is_along_axes = true;  ///< as of balls, whose vectors are those of the unit matrix

  /// The parts of a velocity, or of a contact's row, along the vectors.
  Vec6 modes_of(const Vec6& v) const { return is_along_axes ? v : Vec6(vectors.transpose() * v); }
  Vec6 from_modes(const Vec6& modes) const { return is_along_axes ? modes : Vec6(vectors * modes); }
};

struct EnergySpace {
  std::vector<MassRoot> roots;
  SparseColumns normals;     ///< A, d x m
  Gram gram;                 ///< A^T A, m x m
  Eigen::VectorXd scale;     ///< s
  Eigen::VectorXd offset;    ///< o
  Eigen::VectorXd velocity;  ///< y of the problem's velocities
  ImpactVelocities held;     ///< v_held
};

EnergySpace energy_space(const ImpactProblem& problem);

/// The columns @p chosen of @p from, in that order.
SparseColumns columns_of(const SparseColumns& from, const std::vector<std::int32_t>& chosen);

/// The velocities at @p y.
ImpactVelocities to_velocities(const EnergySpace& space, const Eigen::VectorXd& y);

/// y of @p velocities; what is held is left out.
Eigen::VectorXd to_energy_space(const EnergySpace& space, const ImpactVelocities& velocities);

}  // namespace scree
