#include "ipm_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/problem/body_rows.hpp"

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
  if (!problem.v_free || !(problem.delassus.blocks || has_body_rows(problem))) return 0.0;
  const petsc::ConstView v(problem.v_free.get());
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (k % kBodyDofs >= kLinearDofs) continue;
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
      sum += r[k] * r[k];
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
template <class Cone>
jordan::Vector<Cone::kDim> inverse_t(const Cone& cone) {
  using Vector = jordan::Vector<Cone::kDim>;
  if constexpr (Cone::kParameters > 0) {
    if (cone.mu[0] > 0.0) {
      Vector t = Vector::Ones();
      t[0] /= cone.mu[0];
      return t;
    }
  }
  return Vector::Unit(0);
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
  units.inverse_t.resize(problem.cones.rows());
  for_each_second_order(problem.cones, [&](const auto& cone, const ConePlace& at) {
    rows_of(cone, &units.inverse_t[at.row]) = inverse_t(cone);
  });
  return units;
}

bool has_exact_friction(const ContactProblem& problem) {
  const std::vector<ConeBatch>& batches = problem.cones.batches;
  const bool exact = std::any_of(batches.begin(), batches.end(), [](const ConeBatch& batch) {
    return batch.exact && batch.type != cones::kTypeOf<cones::HalfLine>;
  });
  return max_over_ranks(problem.comm, exact ? 1 : 0) != 0;
}

Points to_units(const Units& units, Vec r) {
  const petsc::ConstView view(r);
  Points c(view.size());
  for (std::size_t k = 0; k < c.size(); ++k) c[k] = units.inverse_t[k] * view[k] / units.velocity;
  return c;
}

void from_units(const Units& units, const Points& x, Vec lambda) {
  const double impulse = units.velocity / units.inverse_mass;
  const petsc::View view(lambda);
  for (std::size_t k = 0; k < x.size(); ++k) view[k] = units.inverse_t[k] * x[k] * impulse;
}

Points compliance_in_units(const ContactProblem& problem, const Units& units) {
  Points r(problem.cones.rows());
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double t = units.inverse_t[k];
    r[k] = t * problem.compliance_of(k) * t / units.inverse_mass;
  }
  return r;
}

double own_residual(MPI_Comm comm, const Cones& cones, const Points& x, const Points& y,
                    double infeasibility) {
  std::vector<double> sums(3, 0.0);
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    using Vector = jordan::Vector<Cone::kDim>;
    const Vector point = rows_of(cone, &x[at.row]);
    const auto s = jordan::spectrum<Cone::kDim>(Vector(point - rows_of(cone, &y[at.row])));
    const Vector projected = s.combine(std::max(s.low, 0.0), std::max(s.high, 0.0));
    sums[0] += (point - projected).squaredNorm();
    sums[1] += point.squaredNorm();
    sums[2] += Cone::kDim;
  });
  sum_over_ranks(comm, sums);
  const double total = sums[0] + sums[2] * infeasibility * infeasibility;
  return std::sqrt(total / std::max(sums[1], std::numeric_limits<double>::min()));
}

}  // namespace scree::ipm
