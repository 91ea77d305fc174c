#pragma once

/// The iteration of solver/interior_point/kleinert.hpp.

#include <optional>

#include "ipm_matrix.hpp"
#include "scree/solver/interior_point/kleinert.hpp"
#include "solver/linear/spectrum.hpp"

namespace scree::kleinert {

using ipm::Points;

/// x, y and s of the larger problem; s is 0 once y = N x + c is in the cones itself.
struct Iterate {
  Points x;
  Points y;
  double s = 0.0;

  bool feasible() const { return s == 0.0; }
};

/// Collective. f_cen: 0 on the central path, larger off it. @pre x and y interior, a cone
/// somewhere.
double centrality(MPI_Comm comm, const Cones& cones, const Iterate& at);

/// The share of the present complementarity that the next step aims at.
double beta(double centrality, bool cautious);

class Path {
 public:
  /// Collective. Starts on the central path. @p c: T^-1 r.
  Path(const ContactProblem& problem, const ipm::Units& units, Points c,
       const KleinertOptions& options, OutOfTime out_of_time = {});

  const Iterate& at() const { return at_; }
  const Points& direction() const { return d_; }  ///< d
  const LinearSolver& linear() const { return linear_; }
  /// Extreme eigenvalues of the matrix of the last step, where options ask for them.
  const std::optional<Spread>& eigenvalues() const { return eigenvalues_; }
  /// Collective. y - N x - c - s d, which only rounding makes other than zero.
  Points defect();
  /// Collective. @returns the length of the step; 0 where there is none, as when a linear solve
  /// failed.
  double step();
  /// Whether the linear solve of the last step failed.
  bool is_broken() const { return is_broken_; }

 private:
  void start(double x_n);
  double per_cone(double sum) const;
  bool solve(double alpha, double ds);
  void become_feasible();

  MPI_Comm comm_;
  const Cones& cones_;
  const KleinertOptions& options_;
  ipm::ContactMatrix n_;
  LinearSolver linear_;
  Points c_;
  Points d_;
  Points r_;  ///< diagonal of T^-1 R_k T^-1
  double n_cones_ = 0.0;
  Iterate at_;
  ipm::Scaling scaling_;
  std::optional<Spread> eigenvalues_;
  bool is_broken_ = false;
  std::vector<double> blocks_;  ///< P(w) + R_k, cone after cone
  Points dx_;
  Points dy_;
};

}  // namespace scree::kleinert
