#include "ipm_cones.hpp"

#include <algorithm>
#include <cmath>

namespace scree::ipm {
namespace {

bool is_finite(const Points& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

template <int N>
void store(const jordan::Spectrum<N>& s, const ConePlace& at, Scaling& scaling) {
  scaling.low[at.number] = s.low;
  scaling.high[at.number] = s.high;
  std::copy_n(s.q_high.data(), N, &scaling.q_high[at.row]);
}

Scaling scaling_of(const Cones& cones, double reg) {
  return {reg, std::vector<double>(cones.count()), std::vector<double>(cones.count()),
          Points(cones.rows()), Points(cones.rows())};
}

}  // namespace

void times_w(const Cones& cones, const Scaling& scaling, const Points& z, Points& result) {
  result.resize(z.size());
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const auto s = scaling.spectrum(cone, at);
    rows_of(cone, &result[at.row]) = times_w<Cone::kDim>(s, rows_of(cone, &z[at.row]));
  });
}

void times_inverse_w(const Cones& cones, const Scaling& scaling, const Points& z, Points& result) {
  result.resize(z.size());
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const auto s = scaling.spectrum(cone, at);
    rows_of(cone, &result[at.row]) = times_inverse_w<Cone::kDim>(s, rows_of(cone, &z[at.row]));
  });
}

bool make_scaling(const Cones& cones, const Points& x, const Points& y, double reg,
                  Scaling& scaling) {
  scaling = scaling_of(cones, reg);
  bool sound = true;
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    constexpr int kDim = Cone::kDim;
    const jordan::Vector<kDim> point = rows_of(cone, &x[at.row]);
    const auto s = jordan::scaling_spectrum<kDim>(point, rows_of(cone, &y[at.row]));
    const jordan::Vector<kDim> v = times_w<kDim>(s, point);
    store(s, at, scaling);
    rows_of(cone, &scaling.v[at.row]) = v;
    sound = sound && s.low > 0.0 && std::isfinite(s.high) && jordan::is_interior<kDim>(v);
  });
  return sound;
}

Scaling unit_scaling(const Cones& cones) {
  Scaling scaling = scaling_of(cones, 0.0);
  for_each_second_order(cones, [&]<class Cone>(const Cone&, const ConePlace& at) {
    constexpr int kDim = Cone::kDim;
    store(jordan::spectrum<kDim>(jordan::unit<kDim>()), at, scaling);
  });
  return scaling;
}

double max_step(MPI_Comm comm, const Cones& cones, const Points& x, const Points& dx) {
  double step = std::numeric_limits<double>::infinity();
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    step = std::min(
        step, jordan::max_step<Cone::kDim>(rows_of(cone, &x[at.row]), rows_of(cone, &dx[at.row])));
  });
  return min_over_ranks(comm, is_finite(dx) ? step : 0.0);
}

double max_step(MPI_Comm comm, const Cones& cones, const Points& v, const Points& dx,
                const Points& dy) {
  double step = std::numeric_limits<double>::infinity();
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    constexpr int kDim = Cone::kDim;
    const auto s = jordan::spectrum<kDim>(rows_of(cone, &v[at.row]));
    step = std::min({step, jordan::max_step<kDim>(s, rows_of(cone, &dx[at.row])),
                     jordan::max_step<kDim>(s, rows_of(cone, &dy[at.row]))});
  });
  return min_over_ranks(comm, is_finite(dx) && is_finite(dy) ? step : 0.0);
}

double inner_product(MPI_Comm comm, const Points& x, const Points& y) {
  double sum = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum_over_ranks(comm, sum);
}

double product_of_sizes(MPI_Comm comm, const Cones& cones, const Points& x, const Points& y) {
  double sum = 0.0;
  for_each_second_order(cones, [&](const auto& cone, const ConePlace& at) {
    sum += rows_of(cone, &x[at.row]).norm() * rows_of(cone, &y[at.row]).norm();
  });
  return sum_over_ranks(comm, sum);
}

double violation(MPI_Comm comm, const Cones& cones, const Points& x) {
  double largest = 0.0;
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const double tangent = jordan::tangent_norm<Cone::kDim>(rows_of(cone, &x[at.row]));
    largest = std::max(largest, tangent - x[at.row]);
  });
  return max_over_ranks(comm, largest);
}

bool all_interior(MPI_Comm comm, const Cones& cones, const Points& x, const Points& y) {
  bool mine = true;
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    constexpr int kDim = Cone::kDim;
    mine = mine && jordan::is_interior<kDim>(rows_of(cone, &x[at.row])) &&
           jordan::is_interior<kDim>(rows_of(cone, &y[at.row]));
  });
  return min_over_ranks(comm, mine ? 1 : 0) == 1;
}

void lift(const Cones& cones, double length, Points& x) {
  for (std::size_t i = 0; i < cones.count(); ++i) x[cones.row(i)] += length;
}

Points corrector_target(const Cones& cones, const Points& v, double alpha, const Points& dx,
                        const Points& dy) {
  Points g(v.size());
  for_each_second_order(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    constexpr int kDim = Cone::kDim;
    const jordan::Vector<kDim> from = rows_of(cone, &v[at.row]);
    const jordan::Vector<kDim> wanted =
        alpha * jordan::unit<kDim>() -
        jordan::product<kDim>(rows_of(cone, &dx[at.row]), rows_of(cone, &dy[at.row]));
    rows_of(cone, &g[at.row]) = jordan::divide<kDim>(wanted, from) - from;
  });
  return g;
}

}  // namespace scree::ipm
