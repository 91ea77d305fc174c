#include "scree/problem/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "cone_measures.hpp"
#include "scree/base/fused_reduction.hpp"
#include "scree/base/instructions.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// Share of the mean positive normal impulse above which a contact is closed.
constexpr double kClosedShare = 1e-3;

/// The normal impulse above which a contact counts as closed, where the positive ones of all ranks
/// are so many with that sum.
double closed_above(double sum, double count) {
  return count > 0.0 ? kClosedShare * sum / count : 0.0;
}

/// Collective. Likewise, of this rank's normal impulses.
double closed_above(MPI_Comm comm, std::span<const double> normals) {
  std::vector<double> sums{0.0, 0.0};
  for (const double normal : normals) {
    const bool pushes = normal > 0.0;  // in no order that a branch could be predicted by
    sums[0] += pushes ? normal : 0.0;
    sums[1] += pushes ? 1.0 : 0.0;
  }
  sum_over_ranks(comm, sums);
  return closed_above(sums[0], sums[1]);
}

/// Calls `visit(row, number)` with the normal's row of each of this rank's cones that has one, and
/// the cone's number: equations have none.
template <class Visit>
void for_each_normal(const Cones& cones, const Visit& visit) {
  for (const ConeBatch& batch : cones.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      if constexpr (cones::OfDiscs<Cone>) {
        const std::size_t first = batch.first;
        const std::size_t row = cones.row(first);
        const std::size_t n = batch.count;
        for (std::size_t k = 0; k < n; ++k) visit(row + k * Cone::kDim, first + k);
      }
    });
  }
}

/// Sum and number of the normal velocities of contacts with an impulse above @p bound. @p normals:
/// of each cone.
std::array<double, 2> opening(const Cones& cones, double bound, std::span<const double> lambda,
                              std::span<const double> normals) {
  std::array<double, 2> sums{};
  for_each_normal(cones, [&](std::size_t row, std::size_t number) {
    const bool closed = lambda[row] > bound;
    sums[0] += closed ? normals[number] : 0.0;
    sums[1] += closed ? 1.0 : 0.0;
  });
  return sums;
}

/// The largest absolute value, 0 of none, by lanes.
double largest_size(std::span<const double> values) {
  constexpr std::size_t kLanes = 16;
  std::array<double, kLanes> largest{};
  run_by(instructions(), [&] {
    const double* x = values.data();
    std::size_t k = 0;
    for (; k + kLanes <= values.size(); k += kLanes) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        largest[i] = std::max(largest[i], std::abs(x[k + i]));
      }
    }
    for (; k < values.size(); ++k) largest[0] = std::max(largest[0], std::abs(x[k]));
  });
  return *std::max_element(largest.begin(), largest.end());
}

/// The power of two next to @p value, by which scaling is exact; 1 for 0 and what is not finite.
double unit_of(double value) {
  return value > 0.0 && std::isfinite(value) ? std::exp2(std::floor(std::log2(value))) : 1.0;
}

/// Collective.
MeasureUnits units_of(const ContactProblem& problem, const std::vector<double>& rho) {
  const petsc::ConstView r(problem.r.get());
  std::vector<double> largest{largest_size(r.span()), largest_size(rho)};
  max_over_ranks(problem.comm, largest);
  return {.velocity = unit_of(largest[0]), .mass = unit_of(largest[1])};
}

/// Whether limits of some cone, here, are too large for the natural map.
bool has_lost_limits(const Cones& cones) {
  return std::ranges::any_of(cones.batches, [](const ConeBatch& batch) {
    const bool has_limits =
        cones::with_type(batch.type, []<class Cone>() { return cones::kIsCone<Cone>; });
    return has_limits &&
           std::ranges::any_of(batch.parameters, [](double mu) { return !(mu <= kLargestLimit); });
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
  std::vector<double> normals;
  for_each_normal(cones, [&](std::size_t row, std::size_t) { normals.push_back(l[row]); });
  return closed_above(comm, normals);
}

double closed_pair_bound(MPI_Comm comm, std::span<const double> normal_impulses) {
  return closed_above(comm, normal_impulses);
}

Measurer::Measurer(const ContactProblem& problem)
    : problem_(problem),
      product_(problem),
      rho_(cone_scales(problem)),
      units_(units_of(problem, rho_)),
      normals_(problem.cones.count()) {
  std::optional<double>& kept = problem.scales->energy_at_zero;
  if (!kept) {
    const double mine =
        has_lost_limits(problem.cones) ? std::nan("") : energy_at_zero(problem, rho_, units_);
    kept = sum_over_ranks(problem.comm, mine);
  }
  energy_at_zero_ = *kept;
}

Measures Measurer::measure(Vec lambda) {
  if (!problem_.delassus.blocks) {
    if (!u_) u_ = petsc::unset_like(lambda);
    product_.contact_velocity(lambda, u_.get());
    return measure(lambda, u_.get());
  }
  const std::span<const double> bodies = product_.body_velocities(lambda);
  bodies_ = bodies;
  products_ = product_.count();
  const petsc::ConstView l(lambda);
  const LogStage stage(Stage::measure);
  return measures_of(gather_by_bodies(problem_, rho_, units_, l.span(), bodies, normals_),
                     l.span());
}

Measures Measurer::measure(Vec lambda, Vec u) {
  bodies_.reset();
  const petsc::ConstView l(lambda);
  const petsc::ConstView known(u);
  const LogStage stage(Stage::measure);
  return measures_of(gather(problem_, rho_, units_, l.span(), known.span(), normals_), l.span());
}

std::optional<std::vector<double>> Measurer::release_body_velocities() {
  if (!body_velocities()) return std::nullopt;
  bodies_.reset();
  return product_.release_body_velocities();
}

/// Measures of all ranks, from what this one has gathered at @p l.
Measures Measurer::measures_of(const MeasureSums& g, std::span<const double> l) const {
  const Cones& cones = problem_.cones;
  std::vector<double> sums{g.energy_w, g.energy_lambda, g.work, static_cast<double>(cones.count()),
                           g.pushed,   g.pushing};
  std::array<double, 3> largest{std::sqrt(g.squared_error), g.feasibility,
                                std::sqrt(g.squared_light)};
  sum_and_max_over_ranks(problem_.comm, sums, largest);

  const auto [speeds, n_closed] = opening(cones, closed_above(sums[4], sums[5]), l, normals_);
  std::vector<double> dilation{speeds, n_closed};
  sum_over_ranks(problem_.comm, dilation);

  Measures m;
  m.velocity_error = units_.velocity * largest[0];
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
  const double energy_unit = units_.mass * units_.velocity * units_.velocity;
  m.cost = sums[3] > 0.0 ? energy_unit * std::abs(sums[2]) / sums[3] : 0.0;
  m.error = std::max(m.cost, m.feasibility);
  return m;
}

}  // namespace scree
