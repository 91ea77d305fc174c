#include "gradient.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "scree/base/instructions.hpp"

namespace scree {

ProjectedStep::ProjectedStep(const ContactProblem& problem, const std::vector<double>& rho)
    : ProjectedStep(problem, rho, PairBlocks()) {}

ProjectedStep::ProjectedStep(const ContactProblem& problem, const std::vector<double>& rho,
                             PairBlocks pairs)
    : problem_(problem),
      rho_(rho),
      pairs_(std::move(pairs)),
      factors_(pairs_.values.size()),
      of_pair_(problem.cones.rows(), 0) {
  for (const std::int32_t row : pairs_.row) of_pair_[row] = 1;
  std::size_t place = 0;
  for (std::size_t k = 0; k < pairs_.count(); ++k) {
    const std::span<const std::int32_t> rows = pairs_.rows_of(k);
    lcps_.emplace_back(static_cast<std::size_t>(rows.front()), rows.size(), &pairs_.values[place],
                       &factors_[place]);
    place += rows.size() * rows.size();
  }
}

void ProjectedStep::shifts(const Rows& u, std::vector<double>& s) const {
  s.assign(problem_.cones.count(), 0.0);
  for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    if (at.exact) s[at.number] = cone.shift(cones::Rows<Cone::kDim>(rows_of(cone, &u[at.row])));
  });
}

void ProjectedStep::take(const Rows& y, const Rows& u, const std::vector<double>& s, double t,
                         Rows& next) {
  next.resize(y.size());
  for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    if (is_of_pair<Cone>(at)) return;
    const double step = t * rho_[at.number];
    cones::Rows<Cone::kDim> x = rows_of(cone, &y[at.row]) - step * rows_of(cone, &u[at.row]);
    x[0] -= step * s[at.number];
    rows_of(cone, &next[at.row]) = cone.project(x);
  });
  run_by(instructions(), [&] {
    for (PairLcp& lcp : lcps_) lcp.take(y, u, t, next);
  });
}

std::array<double, 2> ProjectedStep::scaled_dots(const Rows& a, const Rows& b) const {
  std::array<double, 2> sums{};
  for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    if (is_of_pair<Cone>(at)) return;
    const auto of_a = rows_of(cone, &a[at.row]);
    const double per_rho = 1.0 / rho_[at.number];
    sums[0] += per_rho * of_a.squaredNorm();
    sums[1] += per_rho * of_a.dot(rows_of(cone, &b[at.row]));
  });
  run_by(instructions(), [&] {
    for (const PairLcp& lcp : lcps_) lcp.add_dots(a, b, sums);
  });
  return sums;
}

void ProjectedStep::invert(const Rows& b, Rows& x) {
  x.resize(b.size());
  for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    if (is_of_pair<Cone>(at)) return;
    rows_of(cone, &x[at.row]) = rho_[at.number] * rows_of(cone, &b[at.row]);
  });
  for (PairLcp& lcp : lcps_) lcp.invert(b, x);
}

double largest_eigenvalue(const ContactProblem& problem, ProjectedStep& metric,
                          DelassusProduct& product, int steps) {
  const petsc::Vector x = petsc::duplicate(problem.r.get());
  const petsc::Vector y = petsc::duplicate(problem.r.get());
  // a start that meets every eigenvector; by global rows, whose order follows the ranks
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(x.get(), &first, nullptr));
  Rows values(problem.cones.rows());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = 1.0 + std::sin(static_cast<double>(first) + static_cast<double>(k));
  }
  const auto size_of = [&](const Rows& rows) {
    return std::sqrt(sum_over_ranks(problem.comm, metric.scaled_dots(rows, rows)[0]));
  };
  double estimate = 0.0;
  for (int step = 0; step < steps; ++step) {
    const double size = size_of(values);
    if (!(size > 0.0)) return 0.0;
    for (double& value : values) value /= size;
    to_vec(values, x.get());
    product.apply(x.get(), y.get());
    metric.invert(to_rows(y.get()), values);
    estimate = size_of(values);
  }
  return estimate;
}

}  // namespace scree
