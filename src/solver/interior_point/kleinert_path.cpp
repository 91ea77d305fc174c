#include "kleinert_path.hpp"

#include <algorithm>
#include <cmath>

namespace scree::kleinert {
namespace {

/// k_n / k_t of an elastic rod with a Poisson ratio of 0.3 (33).
constexpr double kPoisson = 0.3;
constexpr double kStiffnessRatio =
    (2.0 - kPoisson) * (1.0 + kPoisson) / (2.0 * (1.0 - kPoisson * kPoisson));

LinearOptions linear_options(const IpmOptions& options) {
  LinearOptions linear = ipm::linear_options(options);
  linear.accept_unfinished = true;
  return linear;
}

/// T^-1 R T^-1, cone by cone.
Points regularisation(const ipm::Units& units, double compliance) {
  Points r;
  for (const Point& t : units.inverse_t) {
    const Point rho = compliance * Point(1.0, kStiffnessRatio, kStiffnessRatio);
    r.push_back(rho.cwiseProduct(t.cwiseProduct(t)));
  }
  return r;
}

}  // namespace

double centrality(MPI_Comm comm, const Iterate& at) {
  std::vector<double> sums(3, 0.0);  // x^T y, logarithms, cones
  for (std::size_t i = 0; i < at.x.size(); ++i) {
    const double det_x = jordan::det<3>(at.x[i]);
    const double det_y = jordan::det<3>(at.y[i]);
    sums[0] += at.x[i].dot(at.y[i]);
    sums[1] += std::log(2.0) + 0.5 * (std::log(det_x) + std::log(det_y));
    sums[2] += 1.0;
  }
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
           const IpmOptions& options)
    : comm_(problem.comm),
      options_(options),
      n_(problem, units),
      linear_(
          linear_options(options),
          {.symmetric = problem.delassus.symmetric, .definite = false, .uniform_blocks = false}),
      c_(std::move(c)),
      r_(regularisation(units, options.kleinert.compliance)),
      n_cones_(std::max(1.0, sum_over_ranks(comm_, static_cast<double>(c_.size())))) {
  start(options.kleinert.start);
}

double Path::per_cone(double sum) const {
  return sum_over_ranks(comm_, sum) / (2.0 * n_cones_);
}

/// alpha as that of x and F(x), then y and s from it (4.3).
void Path::start(double x_n) {
  at_.x.assign(c_.size(), Point(x_n, 0.0, 0.0));
  n_.multiply(at_.x, d_);
  double products = 0.0;
  double bounds = 0.0;
  for (std::size_t i = 0; i < d_.size(); ++i) {
    d_[i] += c_[i];
    products += std::abs(at_.x[i].dot(d_[i]));
    bounds += at_.x[i].norm() * d_[i].norm();
  }
  double alpha = per_cone(products);
  if (alpha == 0.0) alpha = per_cone(bounds);  // F(x) is tangential everywhere
  if (alpha == 0.0) alpha = x_n * x_n;         // F(x) is zero: any will do
  at_.s = 2.0 * alpha;
  at_.y.resize(d_.size());
  for (std::size_t i = 0; i < d_.size(); ++i) {
    at_.y[i] = alpha * jordan::inverse<3>(at_.x[i]);
    d_[i] = (at_.y[i] - d_[i]) / at_.s;
  }
}

Points Path::defect() {
  Points image;
  n_.multiply(at_.x, image);
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] = at_.y[i] - image[i] - c_[i] - at_.s * d_[i];
  }
  return image;
}

double Path::step() {
  const bool cautious = options_.kleinert.beta == "path_following";
  const double share = beta(centrality(comm_, at_), cautious);
  const double alpha = share * ipm::inner_product(comm_, at_.x, at_.y) / (2.0 * n_cones_);
  const double ds = at_.feasible() ? 0.0 : 2.0 * alpha - at_.s;
  if (!solve(alpha, ds)) return 0.0;
  n_.multiply(dx_, dy_);
  for (std::size_t i = 0; i < dy_.size(); ++i) dy_[i] += ds * d_[i];
  const double most = std::min(ipm::max_step(comm_, at_.x, dx_), ipm::max_step(comm_, at_.y, dy_));
  const double theta = std::min(1.0, options_.step_fraction * most);
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    at_.x[i] += theta * dx_[i];
    at_.y[i] += theta * dy_[i];
  }
  at_.s += theta * ds;
  if (!at_.feasible()) become_feasible();
  return ipm::all_interior(comm_, at_.x, at_.y) ? theta : 0.0;
}

bool Path::solve(double alpha, double ds) {
  const bool sound = ipm::make_scaling(at_.x, at_.y, 0.0, scaling_);
  if (min_over_ranks(comm_, sound ? 1 : 0) == 0) return false;
  blocks_.resize(at_.x.size());
  Points b(at_.x.size());
  double squares = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    blocks_[i] = scaling_.matrix(i);
    blocks_[i].diagonal() += r_[i];
    b[i] = alpha * jordan::inverse<3>(at_.x[i]) - at_.y[i] - ds * d_[i];
    squares += b[i].squaredNorm();
  }
  const double norm = std::sqrt(sum_over_ranks(comm_, squares));
  Mat a = n_.plus(blocks_);
  if (options_.kleinert.spectrum > 0) {
    eigenvalues_ = eigenvalue_spread(a, preconditioner_of(options_.preconditioner),
                                     static_cast<PetscInt>(options_.kleinert.spectrum));
  }
  linear_.use(a);
  return n_.solve(linear_, b, options_.forcing * norm, dx_);
}

void Path::become_feasible() {
  Points y = at_.y;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] -= at_.s * d_[i];
  if (!ipm::all_interior(comm_, at_.x, y)) return;
  at_.y = std::move(y);
  at_.s = 0.0;
}

}  // namespace scree::kleinert
