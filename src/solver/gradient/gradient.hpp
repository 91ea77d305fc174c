#pragma once

/// The projected gradient step that apgd and pgj share. Vectors hold this rank's rows.

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/measure.hpp"
#include "scree/problem/pair_blocks.hpp"
#include "solver/gradient/pair_lcp.hpp"

namespace scree {

using Rows = std::vector<double>;

/// P_K( y - t D^-1 u~ ) over the cones of a problem in the metric D, u~ with the shift given: D is
/// 1/rho of each cone, and, where asked for, the block of N of the half lines of a pair.
class ProjectedStep {
 public:
  ProjectedStep(const ContactProblem& problem, const std::vector<double>& rho);
  ProjectedStep(const ContactProblem& problem, const std::vector<double>& rho, PairBlocks pairs);
  ProjectedStep(const ProjectedStep&) = delete;
  ProjectedStep& operator=(const ProjectedStep&) = delete;

  /// The term that exact friction adds to the normal velocity of each cone; zero for the associated
  /// law.
  void shifts(const Rows& u, std::vector<double>& s) const;
  /// @p next = P_K( y - t D^-1 (u + s e_n) ). @p next may be y.
  void take(const Rows& y, const Rows& u, const std::vector<double>& s, double t, Rows& next);
  /// a . D a and a . D b over this rank's rows.
  std::array<double, 2> scaled_dots(const Rows& a, const Rows& b) const;
  /// @p x = D^-1 b.
  void invert(const Rows& b, Rows& x);

 private:
  template <class Cone>
  bool is_of_pair(const ConePlace& at) const {
    if constexpr (std::is_same_v<Cone, cones::HalfLine>) return of_pair_[at.row] != 0;
    return false;
  }

  const ContactProblem& problem_;
  const std::vector<double>& rho_;
  PairBlocks pairs_;
  std::vector<double> factors_;  ///< of the pairs' blocks
  std::vector<PairLcp> lcps_;
  std::vector<std::uint8_t> of_pair_;  ///< for each row
};

/// Collective. An estimate, from below, of the largest eigenvalue of N in the metric of @p step.
double largest_eigenvalue(const ContactProblem& problem, ProjectedStep& step,
                          DelassusProduct& product, int steps);

}  // namespace scree
