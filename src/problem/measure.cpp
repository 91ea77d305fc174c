#include "scree/problem/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr double kClosedShare = 1e-3;  ///< of the mean positive normal impulse

double norm_of_tangent(std::span<const double> x) {
  double sum = 0.0;
  for (std::size_t k = 1; k < x.size(); ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

double sum_of_tangents(std::span<const double> x) {
  double sum = 0.0;
  for (std::size_t k = 1; k < x.size(); ++k) sum += std::abs(x[k]);
  return sum;
}

double largest_tangent(std::span<const double> x) {
  double largest = 0.0;
  for (std::size_t k = 1; k < x.size(); ++k) largest = std::max(largest, std::abs(x[k]));
  return largest;
}

double squared_norm(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return sum;
}

/// w = lambda - P_K(lambda - rho u~), into @p w.
void natural_map(std::span<const double> lambda, std::span<const double> shifted, double rho,
                 double mu, FrictionLaw law, std::span<double> w) {
  std::array<double, 3> projected{};
  const std::span<double> p(projected.data(), lambda.size());
  for (std::size_t k = 0; k < p.size(); ++k) p[k] = lambda[k] - rho * shifted[k];
  law == FrictionLaw::box ? project_onto_pyramid(p, mu) : project_onto_cone(p, mu);
  for (std::size_t k = 0; k < p.size(); ++k) w[k] = lambda[k] - p[k];
}

/// What one pass over the cones gathers; the sums and maxima are this rank's.
struct Gathered {
  double energy_w = 0.0;
  double energy_lambda = 0.0;
  double work = 0.0;  ///< lambda^T u~
  double velocity_error = 0.0;
  double feasibility = 0.0;
};

void gather_cone(std::span<const double> lambda, std::span<const double> u, double rho, double mu,
                 FrictionLaw law, Gathered& g) {
  std::array<double, 3> shifted{};
  std::array<double, 3> map{};
  const std::span<double> s(shifted.data(), u.size());
  const std::span<double> w(map.data(), u.size());
  std::copy(u.begin(), u.end(), s.begin());
  shift_velocity(s, mu, law);
  natural_map(lambda, s, rho, mu, law, w);

  const double size_w = squared_norm(w);
  g.energy_w += size_w / rho;
  g.energy_lambda += squared_norm(lambda) / rho;
  g.velocity_error = std::max(g.velocity_error, std::sqrt(size_w) / rho);
  for (std::size_t k = 0; k < s.size(); ++k) g.work += lambda[k] * s[k];
  const bool box = law == FrictionLaw::box;
  const double tangent_u = box ? sum_of_tangents(s) : norm_of_tangent(s);
  const double tangent = box ? largest_tangent(lambda) : norm_of_tangent(lambda);
  const double violation_u = mu * tangent_u - s[0];
  const double violation_lambda =
      mu == 0.0 ? std::max(tangent, -lambda[0]) : tangent - mu * lambda[0];
  g.feasibility = std::max({g.feasibility, violation_u, violation_lambda});
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

void project_onto_cone(std::span<double> x, double mu) {
  const double tangent = norm_of_tangent(x);
  if (x.size() == 1) {
    x[0] = std::max(x[0], 0.0);
    return;
  }
  if (x[0] >= 0.0 && tangent <= mu * x[0]) return;  // the sign decides where mu = 0
  if (mu * tangent <= -x[0]) {
    std::fill(x.begin(), x.end(), 0.0);
    return;
  }
  const double normal = (x[0] + mu * tangent) / (1.0 + mu * mu);
  x[0] = normal;
  for (std::size_t k = 1; k < x.size(); ++k) x[k] *= mu * normal / tangent;
}

void project_onto_pyramid(std::span<double> x, double mu) {
  std::array<double, 2> tangents{};
  for (std::size_t k = 1; k < x.size(); ++k) tangents[k - 1] = std::abs(x[k]);
  if (tangents[0] < tangents[1]) std::swap(tangents[0], tangents[1]);
  double sum = x[0];
  double weight = 1.0;
  double normal = x[0];
  for (const double tangent : tangents) {  // those at their bounds, the largest first
    if (tangent <= mu * normal) break;
    sum += mu * tangent;
    weight += mu * mu;
    normal = sum / weight;
  }
  x[0] = std::max(normal, 0.0);
  for (std::size_t k = 1; k < x.size(); ++k) x[k] = std::clamp(x[k], -mu * x[0], mu * x[0]);
}

void shift_velocity(std::span<double> u, double mu, FrictionLaw law) {
  if (law == FrictionLaw::coulomb) u[0] += mu * norm_of_tangent(u);
  if (law == FrictionLaw::box) u[0] += mu * sum_of_tangents(u);
}

Measurer::Measurer(const ContactProblem& problem)
    : problem_(problem),
      product_(problem),
      rho_(cone_scales(problem)),
      u_(petsc::duplicate(problem.r.get())) {
  const petsc::Vector zero = petsc::duplicate(problem.r.get());
  const petsc::ConstView lambda(zero.get());
  const petsc::ConstView r(problem.r.get());
  Gathered g;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const auto first = static_cast<std::size_t>(problem.cones.offset[i]);
    const auto dim = static_cast<std::size_t>(problem.cones.dim(i));
    gather_cone(lambda.span().subspan(first, dim), r.span().subspan(first, dim), rho_[i],
                problem.cones.mu[i], problem.friction, g);
  }
  energy_at_zero_ = sum_over_ranks(problem.comm, g.energy_w);
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
  Gathered g;
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const auto first = static_cast<std::size_t>(cones.offset[i]);
    const auto dim = static_cast<std::size_t>(cones.dim(i));
    gather_cone(l.span().subspan(first, dim), velocity.span().subspan(first, dim), rho_[i],
                cones.mu[i], problem_.friction, g);
  }
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
