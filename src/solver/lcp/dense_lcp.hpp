#pragma once

/// A problem of half lines whole on every rank, in the scale of each row, so that one ratio is of the size of another:
///
///     y = A x + b,   x = lambda / s,   y = s u,   A = s N s,   b = s r,   s_i = sqrt(rho_i)
///
/// What pivots sees it so, and pivots alike on all ranks.

#include <Eigen/Core>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree::lcp {

struct DenseLcp {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;
  Eigen::VectorXd s;
};

/// Collective. @p rho as of cone_scales().
DenseLcp dense_lcp(const ContactProblem& problem, const std::vector<double>& rho);

/// This rank's rows of lambda = s x. Not collective.
void write_share(const DenseLcp& lcp, const Eigen::VectorXd& x, Vec lambda);

}  // namespace scree::lcp
