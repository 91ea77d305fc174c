#pragma once

/// The method that minmap and fischer share: Newton's on a function of complementarity phi(x_i,
/// y_i) with projected Armijo line search, and the rules that end it.
///
///     h_i = phi(x_i, y_i),  dh_i = p_i dx_i + q_i dy_i,  J = diag(p) + diag(q) A,  theta = 1/2 h^T h
///
///     J dx = -h                                       the function's own way
///     (J^T h)^T dx <= -eps |dx|^2                     else no descent; J^T h = 0: local minimum
///     x <- max(0, x + tau dx), tau = 1, 1/2, 1/4, ..  until theta <= theta_0 + alpha tau (J^T h)^T dx
///
/// Where the linear solve fails, where dx is no descent, and where no tau will do (the projection
/// may undo the descent), dx = -J^T h instead, as section 6 proposes; the method ends where that
/// lowers nothing either, or by the name of the first fault where the gradient is not wanted.
///
/// Reference: Erleben (paper 002), sections 5.4 and 5.5 (projected-line-search), section 6.

#include <functional>
#include <memory>
#include <string_view>

#include "lcp_system.hpp"
#include "scree/solver/lcp/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree::lcp {

/// An iterate, in vectors of the scaled system.
struct Point {
  explicit Point(Vec like);
  petsc::Vector x;
  petsc::Vector y;
  petsc::Vector h;
  petsc::Vector p;
  petsc::Vector q;
  double merit = 0.0;
};

class NcpFunction {
 public:
  virtual ~NcpFunction() = default;
  virtual double value(double x, double y) const = 0;
  /// p and q of the point's rows, from its x and y, in Newton step @p step. Not collective.
  virtual void slopes(std::int64_t step, Point& at) const = 0;
  /// Collective. Solves J dx = -h, as well as it can. @returns false when a linear solve failed.
  virtual bool direction(const Point& at, Vec dx) = 0;

  std::int64_t krylov = 0;          ///< iterations so far
  std::int64_t factorisations = 0;  ///< since the start of the solve
};

/// Writes h = phi(x, y), and the merit. Collective.
void evaluate(const NcpFunction& function, Point& at);

using MakeFunction = std::function<std::unique_ptr<NcpFunction>(const System& system)>;

/// Collective. @pre the problem has half lines only.
SolverReport solve_by_newton(std::string_view method, const MakeFunction& make,
                             const LcpNewtonOptions& options, const ContactProblem& problem,
                             const Stop& stop, Vec lambda);

}  // namespace scree::lcp
