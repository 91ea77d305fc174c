#pragma once

/// The projected gradient step that apgd and pgj share. Vectors hold this rank's rows.

#include <cmath>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

using Rows = std::vector<double>;

/// P_K( y - t rho u~ ) over the cones of a problem, u~ with the shift given.
class ProjectedStep {
 public:
  ProjectedStep(const ContactProblem& problem, const std::vector<double>& rho)
      : problem_(problem), rho_(rho) {}

  /// The term that exact friction adds to the normal velocity of each cone; zero for the associated
  /// law.
  void shifts(const Rows& u, std::vector<double>& s) const {
    s.assign(problem_.cones.count(), 0.0);
    for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      if (at.exact) s[at.number] = cone.shift(cones::Rows<Cone::kDim>(rows_of(cone, &u[at.row])));
    });
  }

  /// @p next = P_K( y - t rho (u + s e_n) ). @p next may be y.
  void take(const Rows& y, const Rows& u, const std::vector<double>& s, double t,
            Rows& next) const {
    next.resize(y.size());
    for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      const double step = t * rho_[at.number];
      cones::Rows<Cone::kDim> x = rows_of(cone, &y[at.row]) - step * rows_of(cone, &u[at.row]);
      x[0] -= step * s[at.number];
      rows_of(cone, &next[at.row]) = cone.project(x);
    });
  }

  /// sum of a_k b_k / rho over this rank's rows.
  double scaled_dot(const Rows& a, const Rows& b) const {
    double total = 0.0;
    for_each_cone(problem_.cones, [&](const auto& cone, const ConePlace& at) {
      total += rows_of(cone, &a[at.row]).dot(rows_of(cone, &b[at.row])) / rho_[at.number];
    });
    return total;
  }

  const std::vector<double>& rho() const { return rho_; }

 private:
  const ContactProblem& problem_;
  const std::vector<double>& rho_;
};

/// Collective. An estimate, from below, of the largest eigenvalue of N in the metric 1/rho.
double largest_eigenvalue(const ContactProblem& problem, const std::vector<double>& rho,
                          DelassusProduct& product, int steps);

}  // namespace scree
