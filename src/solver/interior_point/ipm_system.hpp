#pragma once

/// Operations of an interior point iteration with N: residuals and the linear system of a step, in
/// body space or in contact space. All calls are collective.

#include <cmath>
#include <memory>
#include <string>

#include "ipm_cones.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/interior_point/ipm.hpp"
#include "solver/linear/linear_solver.hpp"

namespace scree::ipm {

/// The units in which the method works: see solver/interior_point/ipm.hpp.
struct Units {
  double velocity = 1.0;      ///< V, m/s
  double inverse_mass = 1.0;  ///< nu, 1/kg
  Points inverse_t;           ///< diagonal of T^-1; 0 for rows that play no part
};

/// @p out_of_time: asked within Krylov solves.
LinearOptions linear_options(const InteriorPointOptions& options, OutOfTime out_of_time = {});

/// Solves with a factorisation are repeated on the residual of the unassembled form, at most so
/// often, while that is above a share of what a Krylov method would have to reach.
inline constexpr int kRefinements = 2;
inline constexpr double kRefinedShare = 1e-3;

/// Whether a residual, of which @p squares is this rank's sum, is small enough where a Krylov
/// method would end at the norm @p absolute. Collective.
inline bool is_refined(MPI_Comm comm, double squares, double absolute) {
  return std::sqrt(sum_over_ranks(comm, squares)) <= kRefinedShare * absolute;
}

class System {
 public:
  virtual ~System() = default;

  /// The bias c of y = N x + c for what follows, N with the compliance.
  virtual void set_bias(Points c) = 0;
  /// An interior start, @p shift deep. @returns false when a linear solve failed.
  virtual bool start(double shift, Points& x, Points& y) = 0;
  /// r_y, and the root mean square of all residuals of y = N x + c.
  virtual double residuals(const Points& x, const Points& y, Points& r_y) = 0;
  /// The matrix of the steps that follow.
  virtual void prepare(const Scaling& scaling) = 0;
  /// W dx for the scaled target @p g. @p from_last: starts from the last solution.
  /// @p tolerance: root mean square of the linear residual.
  virtual bool solve(const Scaling& scaling, const Points& g, const Points& r_y, double tolerance,
                     bool from_last, Points& scaled_dx) = 0;
  /// Goes @p theta along the last solution.
  virtual void advance(double theta) = 0;
  virtual const LinearSolver& linear() const = 0;
  /// How linear solves differed from those asked for; empty where they did not.
  virtual std::string note() const { return linear().note(); }
};

/// @pre has_body_rows(problem).
std::unique_ptr<System> make_body_system(const ContactProblem& problem, const Units& units,
                                         const IpmOptions& options, OutOfTime out_of_time = {});
std::unique_ptr<System> make_contact_system(const ContactProblem& problem, const Units& units,
                                            const IpmOptions& options, OutOfTime out_of_time = {});

}  // namespace scree::ipm
