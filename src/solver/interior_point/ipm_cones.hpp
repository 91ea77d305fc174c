#pragma once

/// The cones of an interior point iteration: scaling, steps and corrector, cone by cone. All are
/// second-order cones or half lines, which are those of one row (problem/cones/jordan.hpp).

#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/cones.hpp"
#include "scree/problem/cones/jordan.hpp"

namespace scree::ipm {

using Points = std::vector<double>;  ///< points of the cones: this rank's rows

template <class Cone>
concept SecondOrder = cones::kSecondOrder<Cone>;

/// Calls `visit(cone, place)` for every cone, in order, each with its type. @pre they are of the
/// kinds above.
template <class Visit>
void for_each_second_order(const Cones& cones, Visit&& visit) {
  for_each_cone(cones, [&visit]<class Cone>(const Cone& cone, const ConePlace& at) {
    SCREE_ASSERT(cones::kSecondOrder<Cone>);
    if constexpr (cones::kSecondOrder<Cone>) visit(cone, at);
  });
}

/// W = P(w_s^1/2) of every cone: v = W x = W^-1 y, S = W^2. The spectrum of w_s is stored.
struct Scaling {
  double reg = 0.0;
  std::vector<double> low;   ///< spectral values of each cone
  std::vector<double> high;  ///< spectral values of each cone
  Points q_high;             ///< spectral vectors
  Points v;

  template <class Cone>
  jordan::Spectrum<Cone::kDim> spectrum(const Cone& cone, const ConePlace& at) const {
    const auto q = rows_of(cone, &q_high[at.row]);
    return {low[at.number], high[at.number], jordan::reflect<Cone::kDim>(q), q};
  }
};

/// W z
template <int N>
jordan::Vector<N> times_w(const jordan::Spectrum<N>& s, const jordan::Vector<N>& z) {
  return s.transform(s.low, s.high, std::sqrt(s.det()), z);
}
/// W^-1 z
template <int N>
jordan::Vector<N> times_inverse_w(const jordan::Spectrum<N>& s, const jordan::Vector<N>& z) {
  return s.transform(1.0 / s.low, 1.0 / s.high, 1.0 / std::sqrt(s.det()), z);
}
/// S + reg
template <int N>
jordan::Matrix<N> block_of(const jordan::Spectrum<N>& s, double reg) {
  return s.transform_matrix(s.low * s.low + reg, s.high * s.high + reg, s.det() + reg);
}
/// W z and W^-1 z of all cones. @p z may be @p result.
void times_w(const Cones& cones, const Scaling& scaling, const Points& z, Points& result);
void times_inverse_w(const Cones& cones, const Scaling& scaling, const Points& z, Points& result);

/// @p x, @p y interior. @returns false when a number is not finite. Not collective.
bool make_scaling(const Cones& cones, const Points& x, const Points& y, double reg,
                  Scaling& scaling);
/// S = I: what the least-squares start is solved with.
Scaling unit_scaling(const Cones& cones);

/// The largest step theta for which x + theta dx stays in the cones; 0 where a number is not
/// finite. Collective.
double max_step(MPI_Comm comm, const Cones& cones, const Points& x, const Points& dx);
/// The largest step that keeps all cones, given in scaled space (v + theta d in C). Collective.
double max_step(MPI_Comm comm, const Cones& cones, const Points& v, const Points& dx,
                const Points& dy);
/// Sum of x_i^T y_i. Collective.
double inner_product(MPI_Comm comm, const Points& x, const Points& y);
/// Sum of |x_i| |y_i|. Collective.
double product_of_sizes(MPI_Comm comm, const Cones& cones, const Points& x, const Points& y);
/// The largest |x_t| - x_n over all cones; at least 0. Collective.
double violation(MPI_Comm comm, const Cones& cones, const Points& x);
/// Collective.
bool all_interior(MPI_Comm comm, const Cones& cones, const Points& x, const Points& y);
/// Adds @p length to the normal of every cone.
void lift(const Cones& cones, double length, Points& x);

/// g = L(v)^-1 (alpha e - dx o dy) - v: the corrector's target in scaled space.
Points corrector_target(const Cones& cones, const Points& v, double alpha, const Points& dx,
                        const Points& dy);

}  // namespace scree::ipm
