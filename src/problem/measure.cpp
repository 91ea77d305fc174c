#include "scree/problem/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/base/log_stage.hpp"
#include "scree/base/machine_clones.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr double kClosedShare = 1e-3;  ///< of the mean positive normal impulse

/// What one pass over the cones gathers; the sums and maxima are this rank's.
struct Gathered {
  double energy_w = 0.0;
  double energy_lambda = 0.0;
  double work = 0.0;           ///< lambda^T u~
  double squared_error = 0.0;  ///< velocity_error^2
  double feasibility = 0.0;
};

/// What the sums and maxima are made of, one number a cone.
struct Parts {
  static constexpr std::size_t kCones = 128;
  std::array<double, kCones> energy_w, energy_lambda, work, squared_error, feasibility;
};

/// Consecutive cones of one batch.
struct ConeRun {
  std::size_t count;
  const double* parameters;
  const double* rho;
  const double* lambda;
  const double* u;
  double shift;  ///< 1 where friction is exact, else 0
};

/// Without branches and without sums, so that cones are measured side by side.
template <class Cone>
SCREE_MACHINE_CLONES void measure_run(const ConeRun& run, Parts& parts) {
  constexpr int kDim = Cone::kDim;
  for (std::size_t i = 0; i < run.count; ++i) {
    const Cone cone = Cone::from(run.parameters + i * Cone::kParameters);
    const double rho = run.rho[i];
    cones::Rows<kDim> l = cones::Rows<kDim>::Zero();
    cones::Rows<kDim> u = cones::Rows<kDim>::Zero();
    for (int k = 0; k < kDim; ++k) {
      l[k] = run.lambda[i * kDim + static_cast<std::size_t>(k)];
      u[k] = run.u[i * kDim + static_cast<std::size_t>(k)];
    }
    u[0] += run.shift * cone.shift(u);
    cones::Rows<kDim> z = cones::Rows<kDim>::Zero();
    for (int k = 0; k < kDim; ++k) z[k] = l[k] - rho * u[k];
    const cones::Rows<kDim> image = cone.project(z);
    double size_w = 0.0;
    double size_l = 0.0;
    double work = 0.0;
    for (int k = 0; k < kDim; ++k) {
      size_w += (l[k] - image[k]) * (l[k] - image[k]);
      size_l += l[k] * l[k];
      work += l[k] * u[k];
    }
    parts.energy_w[i] = size_w / rho;
    parts.energy_lambda[i] = size_l / rho;
    parts.work[i] = work;
    parts.squared_error[i] = size_w / (rho * rho);
    parts.feasibility[i] = std::max(cone.dual_violation(u), cone.violation(l));
  }
}

void add(const Parts& parts, std::size_t count, Gathered& g) {
  for (std::size_t i = 0; i < count; ++i) {
    g.energy_w += parts.energy_w[i];
    g.energy_lambda += parts.energy_lambda[i];
    g.work += parts.work[i];
    g.squared_error = std::max(g.squared_error, parts.squared_error[i]);
    g.feasibility = std::max(g.feasibility, parts.feasibility[i]);
  }
}

/// Over this rank's cones.
Gathered gather(const ContactProblem& problem, const std::vector<double>& rho, const double* lambda,
                const double* u) {
  Gathered g;
  Parts parts;
  for (const ConeBatch& batch : problem.cones.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      const auto n = static_cast<std::size_t>(batch.count);
      const auto first = static_cast<std::size_t>(batch.first);
      for (std::size_t done = 0; done < n; done += Parts::kCones) {
        const std::size_t row = problem.cones.row(first + done);
        const std::size_t count = std::min(n - done, Parts::kCones);
        measure_run<Cone>(
            {count, batch.parameters.data() + done * Cone::kParameters, rho.data() + first + done,
             lambda + row, u + row, batch.exact ? 1.0 : 0.0},
            parts);
        add(parts, count, g);
      }
    });
  }
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
  m.velocity_error = max_over_ranks(problem_.comm, std::sqrt(g.squared_error));
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
