#pragma once

/// The cones of an interior point iteration: scaling, steps and corrector, cone by cone.
///
/// All cones are stored as points of three numbers. Below dim 3 the other numbers stay zero: such
/// points are a subalgebra, and a half line is the axis of the cone (problem/jordan.hpp).

#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/jordan.hpp"

namespace scree::ipm {

using Point = jordan::Vector<3>;
using Points = std::vector<Point>;

/// W = P(w_s^1/2) of every cone: v = W x = W^-1 y, S = W^2.
struct Scaling {
  double reg = 0.0;
  std::vector<jordan::Spectrum<3>> at;
  Points v;

  std::size_t size() const { return at.size(); }
  Point times_w(std::size_t i, const Point& z) const;
  Point times_inverse_w(std::size_t i, const Point& z) const;
  /// (S + reg)^-1 z
  Point solve(std::size_t i, const Point& z) const;
  /// (S + reg)^-1 W z, without the detour over W z, which would lose digits.
  Point solve_scaled(std::size_t i, const Point& z) const;
  Eigen::Matrix3d inverse_matrix(std::size_t i) const;  ///< (S + reg)^-1
  Eigen::Matrix3d matrix(std::size_t i) const;          ///< S + reg
};

/// @p x, @p y interior. @returns false when a number is not finite. Not collective.
bool make_scaling(const Points& x, const Points& y, double reg, Scaling& scaling);
/// S = I: what the least-squares start is solved with.
Scaling unit_scaling(std::size_t n);

/// The largest step theta for which x + theta dx stays in the cones; 0 where a number is not finite.
/// Collective.
double max_step(MPI_Comm comm, const Points& x, const Points& dx);
/// The largest step that keeps all cones, given in scaled space (v + theta d in C). Collective.
double max_step(MPI_Comm comm, const Points& v, const Points& dx, const Points& dy);
/// Sum of x_i^T y_i. Collective.
double inner_product(MPI_Comm comm, const Points& x, const Points& y);
/// The largest |x_t| - x_n over all cones; at least 0. Collective.
double violation(MPI_Comm comm, const Points& x);
bool all_interior(MPI_Comm comm, const Points& x, const Points& y);

/// g = L(v)^-1 (alpha e - dx o dy) - v: the corrector's target in scaled space.
Points corrector_target(const Points& v, double alpha, const Points& dx, const Points& dy);

}  // namespace scree::ipm
