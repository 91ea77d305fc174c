#include "ipm_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::ipm {
namespace {

/// The median of positive numbers spread over the ranks, by halving the interval that holds it, so
/// that no rank holds them all; within 1e-3 of it, on a logarithmic scale. 0 when there are none.
double median(MPI_Comm comm, const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const double v : values) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  low = min_over_ranks(comm, low);
  high = max_over_ranks(comm, high);
  const double half = 0.5 * sum_over_ranks(comm, static_cast<double>(values.size()));
  if (half == 0.0) return 0.0;
  constexpr double kClose = 1.001;
  while (high > kClose * low) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    const auto below = static_cast<double>(
        std::count_if(values.begin(), values.end(), [&](double v) { return v <= middle; }));
    (sum_over_ranks(comm, below) >= half ? high : low) = middle;
  }
  return high;
}

/// Root mean square of the linear velocities; 0 where the bodies' degrees of freedom are unknown.
double typical_free_velocity(const ContactProblem& problem) {
  if (!problem.v_free || problem.delassus.block_size != 6) return 0.0;
  const petsc::ConstView v(problem.v_free.get());
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (k % 6 >= 3) continue;
    sum += v[k] * v[k];
    count += 1.0;
  }
  count = sum_over_ranks(problem.comm, count);
  sum = sum_over_ranks(problem.comm, sum);
  return count > 0.0 ? std::sqrt(sum / count) : 0.0;
}

double typical_velocity(const ContactProblem& problem) {
  const petsc::ConstView r(problem.r.get());
  std::vector<double> sizes;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    double sum = 0.0;
    for (std::int32_t k = problem.cones.offset[i]; k < problem.cones.offset[i + 1]; ++k) {
      sum += r[static_cast<std::size_t>(k)] * r[static_cast<std::size_t>(k)];
    }
    if (sum > 0.0) sizes.push_back(std::sqrt(sum));
  }
  // most contacts may be at rest while few are hit: the median alone would then be far too small
  constexpr double kShareOfMean = 0.01;
  double squares = 0.0;
  for (const double size : sizes) squares += size * size;
  squares = sum_over_ranks(problem.comm, squares);
  const double count =
      std::max(1.0, sum_over_ranks(problem.comm, static_cast<double>(sizes.size())));
  const double velocity = std::max({typical_free_velocity(problem), median(problem.comm, sizes),
                                    kShareOfMean * std::sqrt(squares / count)});
  return velocity > 0.0 ? velocity : 1.0;
}

/// The diagonal of T^-1. Without friction only the normal plays a part, and needs no scale.
Point inverse_t(int dim, double mu) {
  Point t = Point::Zero();
  t[0] = dim > 1 && mu > 0.0 ? 1.0 / mu : 1.0;
  if (mu > 0.0) {
    for (int k = 1; k < dim; ++k) t[k] = 1.0;
  }
  return t;
}

}  // namespace

Units make_units(const ContactProblem& problem, const std::vector<double>& rho) {
  Units units;
  units.velocity = typical_velocity(problem);
  std::vector<double> inverse_masses;
  for (const double value : rho) {
    if (value > 0.0) inverse_masses.push_back(1.0 / value);
  }
  units.inverse_mass = median(problem.comm, inverse_masses);
  if (units.inverse_mass == 0.0) units.inverse_mass = 1.0;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    units.inverse_t.push_back(inverse_t(problem.cones.dim(i), problem.cones.mu[i]));
  }
  return units;
}

Points to_units(const ContactProblem& problem, const Units& units, Vec r) {
  const petsc::ConstView view(r);
  Points c(problem.cones.count(), Point::Zero());
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto first = static_cast<std::size_t>(problem.cones.offset[i]);
    for (int k = 0; k < problem.cones.dim(i); ++k) {
      c[i][k] = units.inverse_t[i][k] * view[first + static_cast<std::size_t>(k)] / units.velocity;
    }
  }
  return c;
}

void from_units(const ContactProblem& problem, const Units& units, const Points& x, Vec lambda) {
  const double impulse = units.velocity / units.inverse_mass;
  const petsc::View view(lambda);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto first = static_cast<std::size_t>(problem.cones.offset[i]);
    for (int k = 0; k < problem.cones.dim(i); ++k) {
      view[first + static_cast<std::size_t>(k)] = units.inverse_t[i][k] * x[i][k] * impulse;
    }
  }
}

double own_residual(MPI_Comm comm, const Points& x, const Points& y, double infeasibility) {
  std::vector<double> sums(3, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const jordan::Spectrum<3> s = jordan::spectrum<3>(Point(x[i] - y[i]));
    const Point projected = s.combine(std::max(s.low, 0.0), std::max(s.high, 0.0));
    sums[0] += (x[i] - projected).squaredNorm();
    sums[1] += x[i].squaredNorm();
    sums[2] += 3.0;
  }
  sum_over_ranks(comm, sums);
  const double total = sums[0] + sums[2] * infeasibility * infeasibility;
  return std::sqrt(total / std::max(sums[1], std::numeric_limits<double>::min()));
}

}  // namespace scree::ipm
