#pragma once

/// The one waist: the complementarity problem of a step, which is all that a solver sees.
///
///     v+ = v_free + M^-1 J^T lambda
///     u  = N lambda + r,     N = J M^-1 J^T + R   or   N = W + R
///     u~ = u (associated)    or    u + (sum_j mu_j |u_j|, 0, ..) (exact friction, De Saxce)
///     K in lambda  _|_  u~ in K*               one cone per contact (problem/cones)
///
/// | symbol | meaning                                            | shape         | unit    |
/// | ---    | ---                                                | ---           | ---     |
/// | J      | contact Jacobian, rows by cone (normal first)      | rows x dofs   | 1, m    |
/// | M^-1   | inverse mass; rows of fixed degrees of freedom are 0 | dofs x dofs | 1/kg .. |
/// | W      | Delassus operator given as a matrix (no bodies)    | rows x rows   | 1/kg    |
/// | R      | compliance of the contacts, diagonal; zero where they are rigid | rows x rows | 1/kg |
/// | r      | J v_free + bias                                    | rows          | m/s     |
/// | v_free | velocity without contacts                          | dofs          | m/s     |
/// | lambda | impulse on the first body, contact frame           | rows          | N s     |
///
/// The primary form is that of problem/block_rows.hpp: contacts as frames with their bodies, or the
/// bodies' blocks of J, and the blocks of M^-1. J and M^-1 as matrices are made from it once, where
/// a method or a file asks (jacobian(), inverse_mass()). Problems without rigid bodies (files of
/// deformable bodies, LCPs) have matrices alone. Rows and cones are distributed alike: a cone lies
/// whole on one rank.
/// Reference: Kleinert, Simeon, Obermayr (paper 004), eqs. 5-12; DESIGN, "The problem, once".

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/problem/block_rows.hpp"
#include "scree/problem/body_exchange.hpp"
#include "scree/problem/cones.hpp"

namespace scree {

/// The operator N in one of its forms: block rows; J and M^-1 as matrices; or W.
struct DelassusOperator {
  std::shared_ptr<const BlockRows> blocks;
  petsc::Matrix jacobian;      ///< J, MATAIJ, where the bodies are not rigid ones
  petsc::Matrix inverse_mass;  ///< M^-1, MATAIJ, likewise
  petsc::Matrix matrix;        ///< W, MATAIJ
  bool symmetric = true;       ///< false for a W or M that is not (some FCLIB files)

  bool is_product() const { return blocks != nullptr || static_cast<bool>(jacobian); }
};

struct BodyRows;

/// The forms that follow from J and M^-1, each made at the first call that asks, and shared by all
/// problems that have them in common.
struct OperatorForms {
  petsc::Matrix jacobian;
  petsc::Matrix inverse_mass;
  std::shared_ptr<const BodyRows> body_rows;
  std::optional<BodyExchange> exchange;
};

/// The numbers that follow from R, r or the cones as well, likewise.
struct ProblemScales {
  std::optional<std::vector<double>> diagonal_blocks;
  std::optional<std::vector<double>> rho;  ///< cone_scales()
  std::optional<double> energy_at_zero;
};

/// Immutable from where it is built on (by assemble, by an FCLIB file, by a test): another problem
/// is another value, made of this one by with() or with_law().
struct ContactProblem {
  MPI_Comm comm = MPI_COMM_SELF;
  DelassusOperator delassus;
  std::vector<double>
      compliance;        ///< diagonal of R of this rank's rows, 1/kg; empty where all are rigid
  petsc::Vector r;       ///< rows
  petsc::Vector v_free;  ///< dofs; empty in matrix form
  Cones cones;
  /// Where each of this rank's cones stands in the file that the problem comes from; empty without
  /// one.
  std::vector<std::int32_t> number_in_file;
  /// The length l, m, of each of this rank's cones, by which moments are brought to the unit of
  /// forces: rows of rolling have moments' impulses over l in lambda, angular velocities times l in
  /// u and J, and limits over l. 0 where no rolling rows are; empty where no cone of any rank has
  /// them. Files hold moments as they are.
  std::vector<double> rolling_length;
  std::string origin;  ///< name of its source for messages: a file, or "step 12"
  /// Derived, never part of the problem: shared by all who ask.
  std::shared_ptr<OperatorForms> forms = std::make_shared<OperatorForms>();
  std::shared_ptr<ProblemScales> scales = std::make_shared<ProblemScales>();

  std::int64_t n_cones_global() const;  ///< Collective.
  double compliance_of(std::size_t row) const { return compliance.empty() ? 0.0 : compliance[row]; }
};

/// Parts of a problem in place of those that it has; a part that is empty stays as it is.
struct ProblemChanges {
  petsc::Vector r = {};
  petsc::Vector v_free = {};
  std::optional<std::vector<double>> compliance = {};
};

/// The problem with the parts of @p changes: all else is taken over from @p problem, of whose forms
/// only those are made again that follow from what has changed. Not collective; @p changes are the
/// same parts on every rank.
ContactProblem with(ContactProblem problem, ProblemChanges changes);

/// The problem with its contacts under another law of friction. Not collective.
ContactProblem with_law(ContactProblem problem, const Friction& friction);

/// @p values; empty where none of any rank is above zero. Collective.
std::vector<double> unless_zero(MPI_Comm comm, std::vector<double> values);

/// J and M^-1 as matrices (MATAIJ). Collective at the first call. @pre product form.
Mat jacobian(const ContactProblem& problem);
Mat inverse_mass(const ContactProblem& problem);

/// Copies velocities and momenta between owners and ghosts of the bodies. Collective at the first
/// call. @pre block rows, or body rows that were made of matrices.
BodyExchange& body_exchange(const ContactProblem& problem);

/// The contacts of @p problem, yielding: R grows by @p share of each row's part of trace(N_ii)/dim.
/// So impulses stay bounded where rigid contacts have no solution. Collective. @pre block rows.
ContactProblem yielding(const ContactProblem& problem, double share);

/// y = N x. Collective. Keeps its work vectors, and counts its products.
class DelassusProduct {
 public:
  explicit DelassusProduct(const ContactProblem& problem);
  void apply(Vec x, Vec y);
  /// u = N lambda + r. Collective.
  void contact_velocity(Vec lambda, Vec u);
  /// M^-1 J^T lambda of each local body, kBodyDofs numbers each, valid until the next product,
  /// which this counts as. Collective. @pre block rows.
  std::span<const double> body_velocities(Vec lambda);
  /// Those of the last product, as the caller's own. Not collective.
  std::vector<double> release_body_velocities() { return std::exchange(bodies_, {}); }
  std::int64_t count() const { return count_; }

 private:
  void fill_bodies(Vec x);

  const ContactProblem& problem_;
  petsc::Vector impulse_;       ///< J^T x, where J is a matrix
  petsc::Vector velocity_;      ///< M^-1 J^T x
  std::vector<double> bodies_;  ///< J^T x, then M^-1 J^T x, kBodyDofs a local body
  std::int64_t count_ = 0;
};

/// N as a MATAIJ: W itself (a reference is taken) where it is rigid, else formed. Collective.
petsc::Matrix assemble_delassus(const ContactProblem& problem);

/// The diagonal blocks N_ii of this rank's cones, each dim x dim, row-major, one after another,
/// without forming N. Collective at the first call, and kept with the problem.
const std::vector<double>& delassus_diagonal_blocks(const ContactProblem& problem);

/// rho_i = dim / |trace(N_ii)| of this rank's cones, kg, kept with the problem. Collective at the
/// first call. Where the trace is zero, rho_i is 1 over the largest entry of the rows of a matrix,
/// as in some LCPs; 1 where all are zero (nothing that can move takes part).
const std::vector<double>& cone_scales(const ContactProblem& problem);

/// v+ = v_free + M^-1 J^T lambda. Collective. @pre product form.
petsc::Vector end_velocity(const ContactProblem& problem, Vec lambda);

}  // namespace scree
