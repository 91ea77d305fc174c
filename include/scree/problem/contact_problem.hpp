#pragma once

/// The one waist: the complementarity problem of a step, which is all that a solver sees.
///
///     v+ = v_free + M^-1 J^T lambda
///     u  = N lambda + r,     N = J M^-1 J^T   or   N = W
///     u~ = u (associated)    or    u + (mu |u_t|, 0, 0) (coulomb, De Saxce; box, in its norm)
///     K_mu in lambda  _|_  u~ in K_mu*         one cone per contact
///
/// | symbol | meaning                                            | shape         | unit    |
/// | ---    | ---                                                | ---           | ---     |
/// | J      | contact Jacobian, rows by cone (normal first)      | rows x dofs   | 1, m    |
/// | M^-1   | inverse mass; rows of fixed degrees of freedom are 0 | dofs x dofs | 1/kg .. |
/// | W      | Delassus operator given as a matrix (no bodies)    | rows x rows   | 1/kg    |
/// | r      | J v_free + (phi/dt, 0, 0)                          | rows          | m/s     |
/// | v_free | velocity without contacts                          | dofs          | m/s     |
/// | lambda | impulse on the first body, contact frame           | rows          | N s     |
/// | mu     | friction coefficient of each cone                  | cones         | 1       |
///
/// Cones: dim 1 is the half line lambda_n >= 0 (frictionless), dim 2 and 3 the second-order cone
/// |lambda_t| <= mu lambda_n; for the law `box` |.| is the largest entry of lambda_t, so that each tangent
/// has bounds of its own, and the sum of those of u_t. Rows and cones are distributed alike: a cone lies
/// whole on one rank.
/// Reference: Kleinert, Simeon, Obermayr (paper 004), eqs. 5-12; DESIGN, "The problem, once".

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/petsc.hpp"

namespace scree {

/// How friction enters: exact Coulomb friction, the convex relaxation of it, or friction of each tangent
/// by itself, |lambda_tk| <= mu lambda_n against u_tk, which depends on the frame and is exact where cones
/// have dim 2.
enum class FrictionLaw { associated, coulomb, box };

std::string_view to_string(FrictionLaw law);

/// The cones of this rank's rows. Local; offsets are local row numbers.
struct Cones {
  std::vector<std::int32_t> offset{0};  ///< cone i has the rows [offset[i], offset[i+1])
  std::vector<double> mu;               ///< friction coefficient; 0 for dim 1

  std::size_t count() const { return mu.size(); }
  std::size_t rows() const { return static_cast<std::size_t>(offset.back()); }
  int dim(std::size_t cone) const { return offset[cone + 1] - offset[cone]; }
  void append(int dim, double friction) {
    offset.push_back(offset.back() + dim);
    mu.push_back(friction);
  }
};

/// The operator N in one of its two forms. Exactly one of (jacobian and inverse_mass) or matrix is
/// set.
struct DelassusOperator {
  petsc::Matrix jacobian;      ///< J, MATAIJ
  petsc::Matrix inverse_mass;  ///< M^-1, MATAIJ, block diagonal where it comes from rigid bodies
  petsc::Matrix matrix;        ///< W, MATAIJ
  bool symmetric = true;       ///< false for a W or M that is not (some FCLIB files)
  /// Bodies are blocks of this many consecutive degrees of freedom, and M^-1 is block diagonal with
  /// such blocks; 0 where the degrees of freedom have no such structure.
  int block_size = 6;

  bool is_product() const { return static_cast<bool>(jacobian); }
};

struct BodyRows;

/// Immutable once built (by assemble, by an FCLIB file, by a test).
struct ContactProblem {
  MPI_Comm comm = MPI_COMM_SELF;
  DelassusOperator delassus;
  petsc::Vector r;       ///< rows
  petsc::Vector v_free;  ///< dofs; empty in matrix form
  Cones cones;
  FrictionLaw friction = FrictionLaw::coulomb;
  /// Of a problem from a file: where each of this rank's cones stands in it. Empty otherwise.
  std::vector<std::int32_t> number_in_file;
  std::string origin;  ///< where it comes from, for messages: a file, or "step 12"
  /// What body_rows() made at its first call: derived, never part of the problem.
  mutable std::shared_ptr<const BodyRows> body_rows_made;

  std::int64_t n_cones_global() const;  ///< Collective.
};

/// y = N x. Collective. Keeps its work vectors, and counts its products.
class DelassusProduct {
 public:
  explicit DelassusProduct(const ContactProblem& problem);
  void apply(Vec x, Vec y);
  /// u = N lambda + r. Collective.
  void contact_velocity(Vec lambda, Vec u);
  std::int64_t count() const { return count_; }

 private:
  const ContactProblem& problem_;
  petsc::Vector impulse_;   ///< J^T x
  petsc::Vector velocity_;  ///< M^-1 J^T x
  std::int64_t count_ = 0;
};

/// N as a MATAIJ: W itself (a reference is taken), or J M^-1 J^T formed. Collective.
petsc::Matrix assemble_delassus(const ContactProblem& problem);

/// The diagonal blocks N_ii of this rank's cones, each dim x dim, row-major, one after another.
/// Collective (M^-1 of bodies of other ranks is fetched), without forming N.
std::vector<double> delassus_diagonal_blocks(const ContactProblem& problem);

/// rho_i = dim / |trace(N_ii)| of this rank's cones, kg. Collective. Where the trace is zero, rho_i is 1
/// over the largest entry of the rows of a matrix, as in some LCPs; 1 where all are zero (nothing that
/// can move takes part).
std::vector<double> cone_scales(const ContactProblem& problem);

/// v+ = v_free + M^-1 J^T lambda. Collective. @pre product form.
petsc::Vector end_velocity(const ContactProblem& problem, Vec lambda);

}  // namespace scree
