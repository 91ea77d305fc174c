#pragma once

/// The projected gradient step that apgd and pgj share. Vectors hold this rank's rows.

#include <array>
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

  /// mu |u_t| of each cone for the exact law, else zeros.
  void shifts(const Rows& u, std::vector<double>& s) const {
    const Cones& cones = problem_.cones;
    s.assign(cones.count(), 0.0);
    if (problem_.friction == FrictionLaw::associated) return;
    for (std::size_t i = 0; i < cones.count(); ++i) {
      double sum = 0.0;
      for (std::int32_t k = cones.offset[i] + 1; k < cones.offset[i + 1]; ++k) {
        sum += u[static_cast<std::size_t>(k)] * u[static_cast<std::size_t>(k)];
      }
      s[i] = cones.mu[i] * std::sqrt(sum);
    }
  }

  /// @p next = P_K( y - t rho (u + s e_n) ). @p next may be y.
  void take(const Rows& y, const Rows& u, const std::vector<double>& s, double t,
            Rows& next) const {
    const Cones& cones = problem_.cones;
    next.resize(y.size());
    for (std::size_t i = 0; i < cones.count(); ++i) {
      const auto first = static_cast<std::size_t>(cones.offset[i]);
      const auto dim = static_cast<std::size_t>(cones.dim(i));
      for (std::size_t k = first; k < first + dim; ++k) next[k] = y[k] - t * rho_[i] * u[k];
      next[first] -= t * rho_[i] * s[i];
      project_onto_cone({&next[first], dim}, cones.mu[i]);
    }
  }

  /// sum of a_k b_k / rho over this rank's rows.
  double scaled_dot(const Rows& a, const Rows& b) const {
    const Cones& cones = problem_.cones;
    double total = 0.0;
    for (std::size_t i = 0; i < cones.count(); ++i) {
      double sum = 0.0;
      for (std::int32_t k = cones.offset[i]; k < cones.offset[i + 1]; ++k) {
        sum += a[static_cast<std::size_t>(k)] * b[static_cast<std::size_t>(k)];
      }
      total += sum / rho_[i];
    }
    return total;
  }

  const std::vector<double>& rho() const { return rho_; }

 private:
  const ContactProblem& problem_;
  const std::vector<double>& rho_;
};

inline Rows to_rows(Vec v) {
  const petsc::ConstView view(v);
  return {view.span().begin(), view.span().end()};
}

inline void to_vec(const Rows& rows, Vec v) {
  std::copy(rows.begin(), rows.end(), petsc::View(v).data());
}

/// Collective. An estimate, from below, of the largest eigenvalue of N in the metric 1/rho.
double largest_eigenvalue(const ContactProblem& problem, const std::vector<double>& rho,
                          DelassusProduct& product, int steps);

}  // namespace scree
