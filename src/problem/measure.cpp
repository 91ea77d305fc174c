#include "scree/problem/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr double kClosedShare = 1e-3;  ///< of the mean positive normal impulse

/// What one pass over the cones gathers; the sums and maxima are this rank's.
struct Gathered {
  double energy_w = 0.0;
  double energy_lambda = 0.0;
  double work = 0.0;  ///< lambda^T u~
  double velocity_error = 0.0;
  double feasibility = 0.0;
};

template <class Cone>
void gather_cone(const Cone& cone, const ConePlace& at, const cones::Rows<Cone::kDim>& lambda,
                 const cones::Rows<Cone::kDim>& u, double rho, Gathered& g) {
  using Rows = cones::Rows<Cone::kDim>;
  const Rows s = shifted(cone, u, at);
  const Rows w = lambda - cone.project(Rows(lambda - rho * s));
  const double size_w = w.squaredNorm();
  g.energy_w += size_w / rho;
  g.energy_lambda += lambda.squaredNorm() / rho;
  g.velocity_error = std::max(g.velocity_error, std::sqrt(size_w) / rho);
  g.work += lambda.dot(s);
  g.feasibility = std::max({g.feasibility, cone.dual_violation(s), cone.violation(lambda)});
}

/// Over this rank's cones.
Gathered gather(const ContactProblem& problem, const std::vector<double>& rho, const double* lambda,
                const double* u) {
  Gathered g;
  for_each_cone(problem.cones, [&](const auto& cone, const ConePlace& at) {
    gather_cone(cone, at, rows_of(cone, lambda + at.row), rows_of(cone, u + at.row), rho[at.number],
                g);
  });
  return g;
}

/// Of impulses or velocities that are not finite: maxima could lose what the sums carry.
Measures not_a_number() {
  const double nan = std::nan("");
  return {nan, nan, nan, nan, nan, nan, nan};
}

}  // namespace

double closed_contact_bound(MPI_Comm comm, const Cones& cones, Vec lambda) {
  const petsc::ConstView l(lambda);
  std::vector<double> positive{0.0, 0.0};  // sum and count
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const double normal = l[static_cast<std::size_t>(cones.offset[i])];
    if (!(normal > 0.0)) continue;
    positive[0] += normal;
    positive[1] += 1.0;
  }
  sum_over_ranks(comm, positive);
  return positive[1] > 0.0 ? kClosedShare * positive[0] / positive[1] : 0.0;
}

Measurer::Measurer(const ContactProblem& problem)
    : problem_(problem),
      product_(problem),
      rho_(cone_scales(problem)),
      u_(petsc::duplicate(problem.r.get())) {
  std::optional<double>& kept = problem.derived->energy_at_zero;
  if (!kept) {
    const std::vector<double> zero(problem.cones.rows(), 0.0);
    const petsc::ConstView r(problem.r.get());
    kept = sum_over_ranks(problem.comm, gather(problem, rho_, zero.data(), r.data()).energy_w);
  }
  energy_at_zero_ = *kept;
}

Measures Measurer::measure(Vec lambda) {
  product_.contact_velocity(lambda, u_.get());
  return measure(lambda, u_.get());
}

Measures Measurer::measure(Vec lambda, Vec u) {
  const LogStage stage(Stage::measure);
  const petsc::ConstView l(lambda);
  const petsc::ConstView velocity(u);
  const Cones& cones = problem_.cones;
  const Gathered g = gather(problem_, rho_, l.data(), velocity.data());
  std::vector<double> sums{g.energy_w, g.energy_lambda, g.work, static_cast<double>(cones.count())};
  sum_over_ranks(problem_.comm, sums);

  std::vector<double> dilation{0.0, 0.0};
  const double closed = closed_contact_bound(problem_.comm, cones, lambda);
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const auto first = static_cast<std::size_t>(cones.offset[i]);
    if (l[first] <= closed) continue;
    dilation[0] += velocity[first];
    dilation[1] += 1.0;
  }
  sum_over_ranks(problem_.comm, dilation);

  Measures m;
  m.velocity_error = max_over_ranks(problem_.comm, g.velocity_error);
  m.feasibility = max_over_ranks(problem_.comm, g.feasibility);
  for (const double sum : {sums[0], sums[1], sums[2], dilation[0]}) {
    if (!std::isfinite(sum)) return not_a_number();
  }
  const double reference = std::max(sums[1], energy_at_zero_);
  if (reference > 0.0) m.residual = std::sqrt(sums[0] / reference);
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const double visible = std::max(sums[0], kRounding * kRounding * sums[1]);
  m.remaining = energy_at_zero_ > 0.0 ? std::sqrt(visible / energy_at_zero_) : 0.0;
  m.dilation = dilation[1] > 0.0 ? dilation[0] / dilation[1] : 0.0;
  m.cost = sums[3] > 0.0 ? std::abs(sums[2]) / sums[3] : 0.0;
  m.error = std::max(m.cost, m.feasibility);
  return m;
}

}  // namespace scree
