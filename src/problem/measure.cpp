#include "scree/problem/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "row_products.hpp"
#include "scree/base/instructions.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

/// Share of the mean positive normal impulse above which a contact is closed.
constexpr double kClosedShare = 1e-3;

/// Sums and maxima that one pass over the cones gathers, of this rank. All but the last in the
/// units.
struct Gathered {
  double energy_w = 0.0;
  double energy_lambda = 0.0;
  double work = 0.0;           ///< lambda^T u~
  double squared_error = 0.0;  ///< velocity_error^2
  double squared_light = 0.0;  ///< the same of contacts too light to be seen in energies
  double feasibility = 0.0;    ///< m/s or N s
};

/// The terms of the sums and maxima, one number a cone.
struct Parts {
  static constexpr std::size_t kCones = 128;
  std::array<double, kCones> energy_w, energy_lambda, work, squared_error, squared_light,
      feasibility;
};

struct Units {
  double velocity;  ///< m/s
  double mass;      ///< kg
};

/// Consecutive cones of one batch.
struct ConeRun {
  std::size_t count;
  const double* parameters;
  const double* rho;
  const double* lambda;
  const double* u;
  double shift;  ///< 1 where friction is exact, else 0
  Units units;
};

/// Without branches and without sums, so that cones are measured side by side.
template <class Cone>
void measure_run(const ConeRun& run, Parts& parts) {
  constexpr int kDim = Cone::kDim;
  const double per_velocity = 1.0 / run.units.velocity;
  const double per_mass = 1.0 / run.units.mass;
  for (std::size_t i = 0; i < run.count; ++i) {
    const Cone cone = Cone::from(run.parameters + i * Cone::kParameters);
    const double rho = run.rho[i];
    const double per_rho = 1.0 / rho;
    const double weight = rho * per_mass;
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
    parts.work[i] = weight * work;
    parts.squared_error[i] = size_w;
    parts.squared_light[i] = weight < kLightest ? size_w : 0.0;
    parts.feasibility[i] =
        run.units.velocity * std::max(cone.dual_violation(at.velocity), rho * cone.violation(l));
  }
}

void add(const Parts& parts, std::size_t count, Gathered& g) {
  for (std::size_t i = 0; i < count; ++i) {
    g.energy_w += parts.energy_w[i];
    g.energy_lambda += parts.energy_lambda[i];
    g.work += parts.work[i];
    g.squared_error = std::max(g.squared_error, parts.squared_error[i]);
    g.squared_light = std::max(g.squared_light, parts.squared_light[i]);
    g.feasibility = std::max(g.feasibility, parts.feasibility[i]);
  }
}

/// The velocities at which cones are measured.
class ConeVelocities {
 public:
  /// Those of @p u, which is N lambda + r.
  explicit ConeVelocities(const double* u) : known_(u) {}
  /// Those that @p bodies have by @p lambda, M^-1 J^T lambda, are written to @p u on the way.
  ConeVelocities(const ContactProblem& problem, const double* r, const double* lambda,
                 std::span<const double> bodies, double* u)
      : problem_(&problem), r_(r), lambda_(lambda), bodies_(bodies.data()), known_(u), u_(u) {}

  /// u of the rows of @p count cones of type @p Cone from cone @p first on, which begin with @p
  /// row.
  template <class Cone>
  __attribute__((always_inline)) const double* of(std::size_t first, std::size_t count,
                                                  std::size_t row) const {
    if (u_ == nullptr) return known_ + row;
    const double* softness = problem_->compliance.empty() ? nullptr : problem_->compliance.data();
    for (std::size_t k = row; k < row + count * Cone::kDim; ++k) {
      u_[k] = softness == nullptr ? r_[k] : r_[k] + softness[k] * lambda_[k];
    }
    add_velocities<Cone>(*problem_->delassus.blocks, first, count, bodies_, u_ + row);
    return u_ + row;
  }

 private:
  const ContactProblem* problem_ = nullptr;
  const double* r_ = nullptr;
  const double* lambda_ = nullptr;
  const double* bodies_ = nullptr;
  const double* known_;
  double* u_ = nullptr;
};

/// Over this rank's cones. @p lambda: null where there are no impulses.
Gathered gather(const ContactProblem& problem, const std::vector<double>& rho, const Units& units,
                const double* lambda, const ConeVelocities& velocities) {
  Gathered g;
  Parts parts;
  const Instructions used = instructions();
  for (const ConeBatch& batch : problem.cones.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      static constexpr std::array<double, Parts::kCones * Cone::kDim> kNoImpulses{};
      const std::size_t n = batch.count;
      for (std::size_t done = 0; done < n; done += Parts::kCones) {
        const std::size_t first = batch.first + done;
        const std::size_t row = problem.cones.row(first);
        const std::size_t count = std::min(n - done, Parts::kCones);
        run_by(used, [&] {
          const ConeRun run{count,
                            batch.parameters.data() + done * Cone::kParameters,
                            rho.data() + first,
                            lambda == nullptr ? kNoImpulses.data() : lambda + row,
                            velocities.of<Cone>(first, count, row),
                            batch.exact ? 1.0 : 0.0,
                            units};
          measure_run<Cone>(run, parts);
        });
        add(parts, count, g);
      }
    });
  }
  return g;
}

/// The positive normal impulses.
struct Positive {
  double sum = 0.0;
  double count = 0.0;

  void add(double normal) {
    if (!(normal > 0.0)) return;
    sum += normal;
    count += 1.0;
  }
};

/// The positive normal impulses of this rank's cones.
Positive positive_of(const Cones& cones, const double* lambda) {
  Positive positive;
  for (std::size_t i = 0; i < cones.count(); ++i) {
    positive.add(lambda[cones.row(i)]);
  }
  return positive;
}

double closed_above(const Positive& of_all_ranks) {
  return of_all_ranks.count > 0.0 ? kClosedShare * of_all_ranks.sum / of_all_ranks.count : 0.0;
}

/// Collective.
double closed_above(MPI_Comm comm, const Positive& mine) {
  std::vector<double> sums{mine.sum, mine.count};
  sum_over_ranks(comm, sums);
  return closed_above({sums[0], sums[1]});
}

/// The power of two next to @p value, by which scaling is exact; 1 for 0 and what is not finite.
double unit_of(double value) {
  return value > 0.0 && std::isfinite(value) ? std::exp2(std::floor(std::log2(value))) : 1.0;
}

/// Collective.
Units units_of(const ContactProblem& problem, const std::vector<double>& rho) {
  const petsc::ConstView r(problem.r.get());
  std::vector<double> largest{0.0, 0.0};
  for (std::size_t k = 0; k < r.size(); ++k) largest[0] = std::max(largest[0], std::abs(r[k]));
  for (const double one : rho) largest[1] = std::max(largest[1], one);
  max_over_ranks(problem.comm, largest);
  return {.velocity = unit_of(largest[0]), .mass = unit_of(largest[1])};
}

/// Whether limits of some cone, here, are too large for the natural map.
bool has_lost_limits(const Cones& cones) {
  return std::ranges::any_of(cones.batches, [](const ConeBatch& batch) {
    return std::ranges::any_of(batch.parameters, [](double mu) { return !(mu <= kLargestLimit); });
  });
}

/// Of impulses or velocities that are not finite: maxima could lose what the sums carry.
Measures not_a_number() {
  const double nan = std::nan("");
  return {nan, nan, nan, nan, nan, nan, nan};
}

}  // namespace

double closed_contact_bound(MPI_Comm comm, const Cones& cones, Vec lambda) {
  const petsc::ConstView l(lambda);
  return closed_above(comm, positive_of(cones, l.data()));
}

double closed_pair_bound(MPI_Comm comm, std::span<const double> normal_impulses) {
  Positive positive;
  for (const double normal : normal_impulses) positive.add(normal);
  return closed_above(comm, positive);
}

Measurer::Measurer(const ContactProblem& problem)
    : problem_(problem),
      product_(problem),
      rho_(cone_scales(problem)),
      u_(petsc::duplicate(problem.r.get())) {
  const Units units = units_of(problem, rho_);
  velocity_unit_ = units.velocity;
  mass_unit_ = units.mass;
  std::optional<double>& kept = problem.scales->energy_at_zero;
  if (!kept) {
    const petsc::ConstView r(problem.r.get());
    const double mine =
        has_lost_limits(problem.cones)
            ? std::nan("")
            : gather(problem, rho_, units, nullptr, ConeVelocities(r.data())).energy_w;
    kept = sum_over_ranks(problem.comm, mine);
  }
  energy_at_zero_ = *kept;
}

Measures Measurer::measure(Vec lambda) {
  if (!problem_.delassus.blocks) {
    product_.contact_velocity(lambda, u_.get());
    return measure(lambda, u_.get());
  }
  const std::span<const double> bodies = product_.body_velocities(lambda);
  bodies_ = bodies;
  const petsc::ConstView l(lambda);
  const petsc::ConstView r(problem_.r.get());
  const petsc::View u(u_.get());
  return measure_at(l.span(), ConeVelocities(problem_, r.data(), l.data(), bodies, u.data()),
                    u.span());
}

Measures Measurer::measure(Vec lambda, Vec u) {
  bodies_.reset();
  const petsc::ConstView l(lambda);
  const petsc::ConstView known(u);
  return measure_at(l.span(), ConeVelocities(known.data()), known.span());
}

template <class ConeVelocities>
Measures Measurer::measure_at(std::span<const double> l, const ConeVelocities& velocities,
                              std::span<const double> velocity) {
  const LogStage stage(Stage::measure);
  const Cones& cones = problem_.cones;
  const Units units{.velocity = velocity_unit_, .mass = mass_unit_};
  const Gathered g = gather(problem_, rho_, units, l.data(), velocities);
  const Positive positive = positive_of(cones, l.data());
  std::vector<double> sums{g.energy_w,   g.energy_lambda,
                           g.work,       static_cast<double>(cones.count()),
                           positive.sum, positive.count};
  sum_over_ranks(problem_.comm, sums);

  std::vector<double> dilation{0.0, 0.0};
  const double closed = closed_above({sums[4], sums[5]});
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const std::size_t first = cones.row(i);
    if (l[first] <= closed) continue;
    dilation[0] += velocity[first];
    dilation[1] += 1.0;
  }
  sum_over_ranks(problem_.comm, dilation);

  Measures m;
  std::vector<double> largest{std::sqrt(g.squared_error), g.feasibility,
                              std::sqrt(g.squared_light)};
  max_over_ranks(problem_.comm, largest);
  m.velocity_error = units.velocity * largest[0];
  m.feasibility = largest[1];
  for (const double sum : {sums[0], sums[1], sums[2], dilation[0], energy_at_zero_}) {
    if (!std::isfinite(sum)) return not_a_number();
  }
  const double reference = std::max(sums[1], energy_at_zero_);
  if (reference > 0.0) m.residual = std::sqrt(sums[0] / reference);
  m.residual = std::max(m.residual, largest[2]);
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const double visible = std::max(sums[0], kRounding * kRounding * sums[1]);
  m.remaining = energy_at_zero_ > 0.0 ? std::sqrt(visible / energy_at_zero_) : 0.0;
  m.dilation = dilation[1] > 0.0 ? dilation[0] / dilation[1] : 0.0;
  const double energy_unit = units.mass * units.velocity * units.velocity;
  m.cost = sums[3] > 0.0 ? energy_unit * std::abs(sums[2]) / sums[3] : 0.0;
  m.error = std::max(m.cost, m.feasibility);
  return m;
}

}  // namespace scree
