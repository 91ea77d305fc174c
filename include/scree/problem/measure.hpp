#pragma once

/// The one set of error measures, outside all solvers: always of the problem as formulated.
///
///     w_i      = lambda_i - P_K(lambda_i - rho_i u~_i),   rho_i = dim / trace(N_ii)
///     E(x)     = sum |x_i|^2 / rho_i                       (an energy)
///     residual = sqrt( E(w) / max(E(lambda), E(w at lambda = 0)) )
///     velocity_error = max_i |w_i| / rho_i                 m/s
///     remaining = sqrt( E(w) / E(w at lambda = 0) )    what remains of the error without impulses,
///                at least what rounding of lambda would hide
///     dilation = mean u_n over closed contacts (closed_contact_bound), m/s; equations have no
///                normal, half lines of other sources of rows are counted with contacts
///     cost     = |lambda^T u~| / n,  feasibility = largest violation of either cone,
///     error    = max(cost, feasibility)                    paper 004, section 5.2, in SI
///
/// All are not-a-number where an impulse or a velocity is not finite, and where some cone's limit
/// on its tangents is above kLargestLimit, with which the normal velocity is lost in the shift of
/// exact friction.
///
/// Cones that are projected on are in units of their own, x = lambda_i / (rho_i c) and y = u_i / c
/// with the largest |r_k| for c, and energies in units of max_i rho_i c^2, so that no square is too
/// large or too small for a number. The energy of a contact whose rho_i is below kLightest of the
/// largest is lost among those of the others: there, the residual is at least |w_i| / (rho_i c).
///
/// Its limit: contacts weigh by their energy. One that is light beside the others, by less than
/// that, may be further from its law than the residual says. In runs the bound on velocity_error
/// catches it, in `scree solve` that on each contact's own error (problem/contact_error.hpp).
///
/// Reference: DESIGN, "Numbers that everyone means the same by".

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

inline constexpr double kLargestLimit = 1e8;
inline constexpr double kLightest = 1e-24;

struct Measures {
  double residual = 0.0;
  double velocity_error = 0.0;  ///< m/s
  double dilation = 0.0;        ///< m/s
  double remaining = 0.0;
  double cost = 0.0;  ///< J
  double feasibility = 0.0;
  double error = 0.0;
};

/// Powers of two in which numbers are summed.
struct MeasureUnits {
  double velocity = 1.0;  ///< c, m/s
  double mass = 1.0;      ///< of rho, kg
};

struct MeasureSums;

/// Velocities that impulses give the local bodies, kBodyDofs numbers each, where they are known: on
/// all ranks or on none, since a rank without bodies has no numbers either way.
using KnownVelocities = std::optional<std::span<const double>>;

/// Measures one problem again and again; keeps rho and work vectors. All calls collective.
class Measurer {
 public:
  explicit Measurer(const ContactProblem& problem);

  /// Measures @p lambda, with u = N lambda + r computed afresh.
  Measures measure(Vec lambda);
  /// Measures @p lambda, where @p u is known to be N lambda + r.
  Measures measure(Vec lambda, Vec u);
  /// M^-1 J^T lambda of the last measure(lambda), valid until the next product; none where there
  /// was one since, the problem has no block rows, or u was known. Not collective.
  KnownVelocities body_velocities() const {
    return bodies_ && products_ == product_.count() ? bodies_ : std::nullopt;
  }
  /// Whether measure(lambda) leaves any.
  bool has_body_velocities() const { return problem_.delassus.blocks != nullptr; }
  /// The same, as the caller's own. Not collective.
  std::optional<std::vector<double>> release_body_velocities();
  const std::vector<double>& rho() const { return rho_; }
  DelassusProduct& product() { return product_; }

 private:
  Measures measures_of(const MeasureSums& gathered, std::span<const double> lambda) const;

  const ContactProblem& problem_;
  DelassusProduct product_;
  const std::vector<double>& rho_;
  MeasureUnits units_;
  double energy_at_zero_ = 0.0;  ///< E(w at lambda = 0), global, in these units
  std::vector<double> normals_;  ///< u_n of each cone; of equations, their first row's
  petsc::Vector u_;              ///< where the problem has no block rows
  KnownVelocities bodies_;       ///< of product_, after so many
  std::int64_t products_ = 0;
};

/// Collective. The normal impulse above which a contact counts as closed: 1e-3 of the mean positive
/// one; 0 where none is positive. @p lambda is laid out by @p cones.
double closed_contact_bound(MPI_Comm comm, const Cones& cones, Vec lambda);
/// Collective. Likewise of pairs, of whose points each impulse is the sum.
double closed_pair_bound(MPI_Comm comm, std::span<const double> normal_impulses);

}  // namespace scree
