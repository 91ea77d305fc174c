#include "kleinert_path.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::kleinert {
namespace {

/// k_n / k_t of an elastic rod (33).
double stiffness_ratio(double poisson_ratio) {
  return (2.0 - poisson_ratio) * (1.0 + poisson_ratio) /
         (2.0 * (1.0 - poisson_ratio * poisson_ratio));
}

LinearOptions linear_options(const KleinertOptions& options, OutOfTime out_of_time) {
  LinearOptions linear = ipm::linear_options(options, std::move(out_of_time));
  linear.accept_unfinished = true;
  return linear;
}

/// The diagonal of T^-1 R_k T^-1.
Points regularisation(const Cones& cones, const ipm::Units& units, const KleinertOptions& options) {
  const double ratio = stiffness_ratio(options.poisson_ratio);
  Points r(cones.rows());
  for (std::size_t i = 0; i < cones.count(); ++i) {
    for (std::size_t k = cones.row(i); k < cones.row(i + 1); ++k) {
      const double t = units.inverse_t[k];
      r[k] = options.compliance * (k == cones.row(i) ? 1.0 : ratio) * t * t;
    }
  }
  return r;
}

}  // namespace

double centrality(MPI_Comm comm, const Cones& cones, const Iterate& at) {
  std::vector<double> sums(3, 0.0);  // x^T y, logarithms, cones
  ipm::for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& place) {
    const auto x = rows_of(cone, &at.x[place.row]);
    const auto y = rows_of(cone, &at.y[place.row]);
    const double det_x = jordan::det<Cone::kDim>(x);
    const double det_y = jordan::det<Cone::kDim>(y);
    sums[0] += x.dot(y);
    sums[1] += std::log(2.0) + 0.5 * (std::log(det_x) + std::log(det_y));
    sums[2] += 1.0;
  });
  sum_over_ranks(comm, sums);
  if (!at.feasible()) {
    sums[0] += at.s;
    sums[1] += std::log(at.s);
    sums[2] += 1.0;
  }
  return 2.0 * (sums[2] * std::log(sums[0] / sums[2]) - sums[1]);
}

double beta(double centrality, bool cautious) {
  constexpr double kCentral = 0.1;
  constexpr double kNear = 1.0;
  if (centrality <= kCentral) return cautious ? 0.1 : 0.01;
  if (centrality <= kNear) return cautious ? 0.5 : 0.1;
  return cautious ? 1.0 : 0.5;
}

Path::Path(const ContactProblem& problem, const ipm::Units& units, Points c,
           const KleinertOptions& options, OutOfTime out_of_time)
    : comm_(problem.comm),
      cones_(problem.cones),
      options_(options),
      n_(problem, units),
      linear_(
          linear_options(options, std::move(out_of_time)),
          {.symmetric = problem.delassus.symmetric, .definite = false, .uniform_blocks = false}),
      c_(std::move(c)),
      r_(regularisation(cones_, units, options)),
      n_cones_(std::max(1.0, sum_over_ranks(comm_, static_cast<double>(cones_.count())))) {
  start(options.start);
}

double Path::per_cone(double sum) const {
  return sum_over_ranks(comm_, sum) / (2.0 * n_cones_);
}

/// alpha as that of x and F(x), then y and s from it (4.3).
void Path::start(double x_n) {
  at_.x.assign(c_.size(), 0.0);
  ipm::lift(cones_, x_n, at_.x);
  n_.multiply(at_.x, d_);
  for (std::size_t k = 0; k < d_.size(); ++k) d_[k] += c_[k];
  double products = 0.0;
  double bounds = 0.0;
  ipm::for_each_second_order(cones_, [&](const auto& cone, const ConePlace& at) {
    const auto x = rows_of(cone, &at_.x[at.row]);
    const auto y = rows_of(cone, &d_[at.row]);
    products += std::abs(x.dot(y));
    bounds += x.norm() * y.norm();
  });
  double alpha = per_cone(products);
  if (alpha == 0.0) alpha = per_cone(bounds);  // F(x) is tangential everywhere
  if (alpha == 0.0) alpha = x_n * x_n;         // F(x) is zero: any will do
  at_.s = 2.0 * alpha;
  at_.y.resize(d_.size());
  ipm::for_each_second_order(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    rows_of(cone, &at_.y[at.row]) =
        alpha * jordan::inverse<Cone::kDim>(rows_of(cone, &at_.x[at.row]));
  });
  for (std::size_t k = 0; k < d_.size(); ++k) d_[k] = (at_.y[k] - d_[k]) / at_.s;
}

Points Path::defect() {
  Points image;
  n_.multiply(at_.x, image);
  for (std::size_t k = 0; k < image.size(); ++k) {
    image[k] = at_.y[k] - image[k] - c_[k] - at_.s * d_[k];
  }
  return image;
}

double Path::step() {
  const bool cautious = options_.beta == KleinertRule::path_following;
  const double share = beta(centrality(comm_, cones_, at_), cautious);
  const double alpha = share * ipm::inner_product(comm_, at_.x, at_.y) / (2.0 * n_cones_);
  const double ds = at_.feasible() ? 0.0 : 2.0 * alpha - at_.s;
  if (!solve(alpha, ds)) return 0.0;
  n_.multiply(dx_, dy_);
  for (std::size_t k = 0; k < dy_.size(); ++k) dy_[k] += ds * d_[k];
  const double most =
      std::min(ipm::max_step(comm_, cones_, at_.x, dx_), ipm::max_step(comm_, cones_, at_.y, dy_));
  const double theta = std::min(1.0, options_.step_fraction * most);
  for (std::size_t k = 0; k < dx_.size(); ++k) {
    at_.x[k] += theta * dx_[k];
    at_.y[k] += theta * dy_[k];
  }
  at_.s += theta * ds;
  if (!at_.feasible()) become_feasible();
  return ipm::all_interior(comm_, cones_, at_.x, at_.y) ? theta : 0.0;
}

bool Path::solve(double alpha, double ds) {
  const bool sound = ipm::make_scaling(cones_, at_.x, at_.y, 0.0, scaling_);
  if (min_over_ranks(comm_, sound ? 1 : 0) == 0) return false;
  blocks_.clear();
  Points b(at_.x.size());
  double squares = 0.0;
  ipm::for_each_second_order(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    auto block = ipm::block_of<Cone::kDim>(scaling_.spectrum(cone, at), 0.0);
    block.diagonal() += rows_of(cone, &r_[at.row]);
    blocks_.insert(blocks_.end(), block.data(), block.data() + block.size());  // symmetric
    auto wanted = rows_of(cone, &b[at.row]);
    wanted = alpha * jordan::inverse<Cone::kDim>(rows_of(cone, &at_.x[at.row])) -
             rows_of(cone, &at_.y[at.row]) - ds * rows_of(cone, &d_[at.row]);
    squares += wanted.squaredNorm();
  });
  const double norm = std::sqrt(sum_over_ranks(comm_, squares));
  Mat a = n_.plus(blocks_);
  if (options_.spectrum > 0) {
    eigenvalues_ =
        eigenvalue_spread(a, options_.preconditioner, static_cast<PetscInt>(options_.spectrum));
  }
  linear_.use(a);
  is_broken_ = !n_.solve(linear_, b, options_.forcing * norm, dx_);
  return !is_broken_;
}

void Path::become_feasible() {
  Points y = at_.y;
  for (std::size_t k = 0; k < y.size(); ++k) y[k] -= at_.s * d_[k];
  if (!ipm::all_interior(comm_, cones_, at_.x, y)) return;
  at_.y = std::move(y);
  at_.s = 0.0;
}

}  // namespace scree::kleinert
