#include "ipm_cones.hpp"

#include <algorithm>
#include <cmath>

namespace scree::ipm {

Point Scaling::times_w(std::size_t i, const Point& z) const {
  return at[i].transform(at[i].low, at[i].high, std::sqrt(at[i].det()), z);
}

Point Scaling::times_inverse_w(std::size_t i, const Point& z) const {
  return at[i].transform(1.0 / at[i].low, 1.0 / at[i].high, 1.0 / std::sqrt(at[i].det()), z);
}

Point Scaling::solve(std::size_t i, const Point& z) const {
  const auto& s = at[i];
  return s.transform(1.0 / (s.low * s.low + reg), 1.0 / (s.high * s.high + reg),
                     1.0 / (s.det() + reg), z);
}

Point Scaling::solve_scaled(std::size_t i, const Point& z) const {
  const auto& s = at[i];
  return s.transform(s.low / (s.low * s.low + reg), s.high / (s.high * s.high + reg),
                     std::sqrt(s.det()) / (s.det() + reg), z);
}

Eigen::Matrix3d Scaling::inverse_matrix(std::size_t i) const {
  const auto& s = at[i];
  return s.transform_matrix(1.0 / (s.low * s.low + reg), 1.0 / (s.high * s.high + reg),
                            1.0 / (s.det() + reg));
}

Eigen::Matrix3d Scaling::matrix(std::size_t i) const {
  const auto& s = at[i];
  return s.transform_matrix(s.low * s.low + reg, s.high * s.high + reg, s.det() + reg);
}

bool make_scaling(const Points& x, const Points& y, double reg, Scaling& scaling) {
  scaling.reg = reg;
  scaling.at.resize(x.size());
  scaling.v.resize(x.size());
  bool sound = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    scaling.at[i] = jordan::scaling_spectrum<3>(x[i], y[i]);
    scaling.v[i] = scaling.times_w(i, x[i]);
    sound = sound && scaling.at[i].low > 0.0 && std::isfinite(scaling.at[i].high) &&
            jordan::is_interior<3>(scaling.v[i]);
  }
  return sound;
}

Scaling unit_scaling(std::size_t n) {
  Scaling s;
  s.at.assign(n, jordan::spectrum<3>(jordan::unit<3>()));
  return s;
}

double max_step(MPI_Comm comm, const Points& x, const Points& dx) {
  double step = std::numeric_limits<double>::infinity();
  bool sound = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sound = sound && dx[i].allFinite();
    step = std::min(step, jordan::max_step<3>(x[i], dx[i]));
  }
  return min_over_ranks(comm, sound ? step : 0.0);
}

double max_step(MPI_Comm comm, const Points& v, const Points& dx, const Points& dy) {
  double step = std::numeric_limits<double>::infinity();
  bool sound = true;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sound = sound && dx[i].allFinite() && dy[i].allFinite();
    const auto s = jordan::spectrum<3>(v[i]);
    step = std::min({step, jordan::max_step<3>(s, dx[i]), jordan::max_step<3>(s, dy[i])});
  }
  return min_over_ranks(comm, sound ? step : 0.0);
}

double inner_product(MPI_Comm comm, const Points& x, const Points& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i].dot(y[i]);
  return sum_over_ranks(comm, sum);
}

double violation(MPI_Comm comm, const Points& x) {
  double largest = 0.0;
  for (const Point& p : x) largest = std::max(largest, jordan::tangent_norm<3>(p) - p[0]);
  return max_over_ranks(comm, largest);
}

bool all_interior(MPI_Comm comm, const Points& x, const Points& y) {
  const auto inside = [](const Point& p) { return jordan::is_interior<3>(p); };
  const bool mine =
      std::all_of(x.begin(), x.end(), inside) && std::all_of(y.begin(), y.end(), inside);
  return min_over_ranks(comm, mine ? 1 : 0) == 1;
}

Points corrector_target(const Points& v, double alpha, const Points& dx, const Points& dy) {
  Points g(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Point wanted = alpha * jordan::unit<3>() - jordan::product<3>(dx[i], dy[i]);
    g[i] = jordan::divide<3>(wanted, v[i]) - v[i];
  }
  return g;
}

}  // namespace scree::ipm
