#include "cone_measures.hpp"

#include <algorithm>
#include <array>

#include "row_products.hpp"
#include "scree/base/instructions.hpp"
#include "scree/problem/measure.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

constexpr std::size_t kRunCones = 128;

/// One number of each cone of a run.
using RunNumbers = std::array<double, kRunCones>;

/// The terms of the sums and maxima, or what those of several runs come to.
struct Parts {
  alignas(64) RunNumbers energy_w{};
  alignas(64) RunNumbers energy_lambda{};
  alignas(64) RunNumbers work{};
  alignas(64) RunNumbers squared_error{};
  alignas(64) RunNumbers squared_light{};
  alignas(64) RunNumbers feasibility{};
  alignas(64) RunNumbers pushed{};
  alignas(64) RunNumbers pushing{};
};

/// Consecutive cones of one batch, kRunCones at most.
struct ConeRun {
  std::size_t count;
  const double* parameters;
  const double* rho;
  const double* lambda;
  const double* u;
  double shift;  ///< 1 where friction is exact, else 0
  MeasureUnits units;
};

/// The parameters of runs of cones, one after another.
template <class Cone>
class RepeatedParameters {
 public:
  explicit RepeatedParameters(const ConeBatch& batch) : batch_(batch) {
    if constexpr (Cone::kParameters > 0) {
      if (!batch.alike) return;
      const std::size_t n = std::min<std::size_t>(batch.count, kRunCones);
      for (std::size_t k = 0; k < n * Cone::kParameters; ++k) {
        same_[k] = batch.parameters[k % Cone::kParameters];
      }
    }
  }
  /// Those of the run from cone @p first of the batch on.
  const double* from(std::size_t first) const {
    return batch_.alike ? same_.data() : batch_.parameters.data() + first * Cone::kParameters;
  }

 private:
  const ConeBatch& batch_;
  std::array<double, kRunCones * Cone::kParameters> same_;  // NOLINT: written where it is read
};

/// Calls `visit.operator()<Cone>(run, first, row)` for this rank's cones, run by run, with the
/// number of the run's first cone and of its first row. It is compiled for the instructions of the
/// processor where the cones are of discs.
/// @p lambda, @p u: all rows, or null.
template <class Visit>
void for_each_run(const ContactProblem& problem, const std::vector<double>& rho,
                  const MeasureUnits& units, const double* lambda, const double* u,
                  const Visit& visit) {
  const Instructions used = instructions();
  for (const ConeBatch& batch : problem.cones.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      const std::size_t n = batch.count;
      const RepeatedParameters<Cone> repeated(batch);
      for (std::size_t done = 0; done < n; done += kRunCones) {
        const std::size_t first = batch.first + done;
        const std::size_t row = problem.cones.row(first);
        ConeRun run{.count = std::min(n - done, kRunCones),
                    .parameters = repeated.from(done),
                    .rho = rho.data() + first,
                    .lambda = lambda == nullptr ? nullptr : lambda + row,
                    .u = u == nullptr ? nullptr : u + row,
                    .shift = batch.exact ? 1.0 : 0.0,
                    .units = units};
        const auto call = [&] { visit.template operator()<Cone>(run, first, row); };
        if constexpr (cones::OfDiscs<Cone>) {
          run_by(used, call);
        } else {
          call();
        }
      }
    });
  }
}

/// Without branches and without sums, so that cones are measured side by side.
template <class Cone>
SCREE_INLINE void measure_run(const ConeRun& run, Parts& parts) {
  constexpr int kDim = Cone::kDim;
  const double per_velocity = 1.0 / run.units.velocity;
  const double per_mass = 1.0 / run.units.mass;
  for (std::size_t i = 0; i < run.count; ++i) {
    const double rho = run.rho[i];
    const double per_rho = 1.0 / rho;
    const double weight = rho * per_mass;
    const Cone cone =
        Cone::from(run.parameters + i * Cone::kParameters).scaled(per_rho * per_velocity);
    cones::Rows<kDim> l = cones::Rows<kDim>::Zero();
    cones::Rows<kDim> u = cones::Rows<kDim>::Zero();
    for (int k = 0; k < kDim; ++k) {
      l[k] = run.lambda[i * kDim + k] * per_rho * per_velocity;
      u[k] = run.u[i * kDim + k] * per_velocity;
    }
    const NaturalPoint<Cone> at = natural_point(cone, run.shift, 1.0, l.data(), u.data());
    double size_w = 0.0;
    double size_l = 0.0;
    double work = 0.0;
    for (int k = 0; k < kDim; ++k) {
      size_w += (l[k] - at.image[k]) * (l[k] - at.image[k]);
      size_l += l[k] * l[k];
      work += l[k] * at.velocity[k];
    }
    parts.energy_w[i] = weight * size_w;
    parts.energy_lambda[i] = weight * size_l;
    parts.work[i] = cones::kIsCone<Cone> ? weight * work : 0.0;
    parts.squared_error[i] = size_w;
    parts.squared_light[i] = weight < kLightest ? size_w : 0.0;
    parts.feasibility[i] =
        run.units.velocity * std::max(cone.dual_violation(at.velocity), rho * cone.violation(l));
  }
}

/// measure_run() without impulses, energy_w alone.
template <class Cone>
SCREE_INLINE void measure_at_zero(const ConeRun& run, Parts& parts) {
  constexpr int kDim = Cone::kDim;
  const double per_velocity = 1.0 / run.units.velocity;
  const double per_mass = 1.0 / run.units.mass;
  for (std::size_t i = 0; i < run.count; ++i) {
    const Cone cone =
        Cone::from(run.parameters + i * Cone::kParameters).scaled(per_velocity / run.rho[i]);
    const cones::Rows<kDim> l = cones::Rows<kDim>::Zero();
    cones::Rows<kDim> u = cones::Rows<kDim>::Zero();
    for (int k = 0; k < kDim; ++k) u[k] = run.u[i * kDim + k] * per_velocity;
    const NaturalPoint<Cone> at = natural_point(cone, run.shift, 1.0, l.data(), u.data());
    double size = 0.0;
    for (int k = 0; k < kDim; ++k) size += at.image[k] * at.image[k];
    parts.energy_w[i] = run.rho[i] * per_mass * size;
  }
}

SCREE_INLINE void add(const Parts& parts, std::size_t count, Parts& totals) {
  for (std::size_t i = 0; i < count; ++i) {
    totals.energy_w[i] += parts.energy_w[i];
    totals.energy_lambda[i] += parts.energy_lambda[i];
    totals.work[i] += parts.work[i];
    totals.squared_error[i] = std::max(totals.squared_error[i], parts.squared_error[i]);
    totals.squared_light[i] = std::max(totals.squared_light[i], parts.squared_light[i]);
    totals.feasibility[i] = std::max(totals.feasibility[i], parts.feasibility[i]);
  }
}

double sum_of(const RunNumbers& x) {
  double sum = 0.0;
  for (const double one : x) sum += one;
  return sum;
}

double largest_of(const RunNumbers& x) {
  return *std::max_element(x.begin(), x.end());
}

/// The positive normal impulses and their number; equations have no normal.
template <class Cone>
SCREE_INLINE void add_pushes(const ConeRun& run, Parts& totals) {
  if constexpr (!cones::OfDiscs<Cone>) return;
  for (std::size_t i = 0; i < run.count; ++i) {
    const double normal = run.lambda[i * Cone::kDim];
    totals.pushed[i] += normal > 0.0 ? normal : 0.0;
    totals.pushing[i] += normal > 0.0 ? 1.0 : 0.0;
  }
}

/// u of the rows of a run, by the velocities of the bodies.
template <class Cone>
SCREE_INLINE void put_velocities(const ContactProblem& problem, const ConeRun& run,
                                 std::size_t first, const double* r, const double* softness,
                                 const double* bodies, double* __restrict u) {
  const std::size_t n = run.count * Cone::kDim;
  if (softness == nullptr) {
    std::copy_n(r, n, u);
  } else {
    for (std::size_t k = 0; k < n; ++k) u[k] = r[k] + softness[k] * run.lambda[k];
  }
  add_velocities<Cone::kDim>(*problem.delassus.blocks, first, run.count, bodies, u);
}

/// u of all rows, or where that is null the velocities of the bodies.
struct VelocitySource {
  const double* u = nullptr;
  const double* bodies = nullptr;
};

/// @p normals gets u of the first row of each cone.
MeasureSums gather_by(const ContactProblem& problem, const std::vector<double>& rho,
                      const MeasureUnits& units, const double* lambda, const VelocitySource& known,
                      double* normals) {
  const petsc::ConstView r(problem.r.get());
  const double* softness = problem.compliance.empty() ? nullptr : problem.compliance.data();
  std::array<double, kRunCones * cones::kMostRows> u;  // of a run
  Parts parts;
  Parts totals;
  for_each_run(problem, rho, units, lambda, known.u,
               [&]<class Cone>(ConeRun& run, std::size_t first, std::size_t row) {
                 if (known.u == nullptr) {
                   put_velocities<Cone>(problem, run, first, r.data() + row,
                                        softness == nullptr ? nullptr : softness + row,
                                        known.bodies, u.data());
                   run.u = u.data();
                 }
                 for (std::size_t i = 0; i < run.count; ++i) {
                   normals[first + i] = run.u[i * Cone::kDim];
                 }
                 measure_run<Cone>(run, parts);
                 add(parts, run.count, totals);
                 add_pushes<Cone>(run, totals);
               });
  return {.energy_w = sum_of(totals.energy_w),
          .energy_lambda = sum_of(totals.energy_lambda),
          .work = sum_of(totals.work),
          .squared_error = largest_of(totals.squared_error),
          .squared_light = largest_of(totals.squared_light),
          .feasibility = largest_of(totals.feasibility),
          .pushed = sum_of(totals.pushed),
          .pushing = sum_of(totals.pushing)};
}

}  // namespace

MeasureSums gather(const ContactProblem& problem, const std::vector<double>& rho,
                   const MeasureUnits& units, std::span<const double> lambda,
                   std::span<const double> u, std::span<double> normals) {
  return gather_by(problem, rho, units, lambda.data(), {.u = u.data()}, normals.data());
}

MeasureSums gather_by_bodies(const ContactProblem& problem, const std::vector<double>& rho,
                             const MeasureUnits& units, std::span<const double> lambda,
                             std::span<const double> bodies, std::span<double> normals) {
  return gather_by(problem, rho, units, lambda.data(), {.bodies = bodies.data()}, normals.data());
}

double energy_at_zero(const ContactProblem& problem, const std::vector<double>& rho,
                      const MeasureUnits& units) {
  const petsc::ConstView r(problem.r.get());
  Parts parts;
  Parts totals;
  for_each_run(problem, rho, units, nullptr, r.data(),
               [&]<class Cone>(ConeRun& run, std::size_t, std::size_t) {
                 measure_at_zero<Cone>(run, parts);
                 for (std::size_t i = 0; i < run.count; ++i) {
                   totals.energy_w[i] += parts.energy_w[i];
                 }
               });
  return sum_of(totals.energy_w);
}

}  // namespace scree
