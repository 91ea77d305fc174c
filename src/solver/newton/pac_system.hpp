#pragma once

/// Operations of `pac` with N: velocities, and the linear system of a Newton step, in body space or
/// in contact space. All calls are collective. Points are impulses and velocities, this rank's
/// rows; blocks are those of problem/cone_blocks.hpp.
///
/// A Newton step wants dx = g - H N dx for the blocks H and the vector g of the contacts. With
/// bodies N = B B^T + R, and the compliance R, which couples no cones, is taken to the left:
///
///     bodies:    (I + B^T H~ B) dw = B^T g~ - (w - B^T x),   dx = g~ - H~ B dw
///                H~ = (I + H R)^-1 H,  g~ = (I + H R)^-1 g;     rigid: H~ = H, g~ = g
///     matrix:    (I + H N) dx = g
///
/// With bodies, w is an unknown of its own: the error of a loose linear solve goes into the
/// momentum w - B^T x, whose square is the system's part of the merit, and is removed by the next
/// step.

#include <memory>
#include <string>
#include <vector>

#include "scree/problem/contact_problem.hpp"
#include "solver/linear/linear_solver.hpp"

namespace scree::pac {

using Points = std::vector<double>;
using Blocks = std::vector<double>;

/// Accuracy of a Krylov solve, relative to its right-hand side.
inline constexpr double kForcing = 1e-2;
/// Above some thousand bodies a factorisation costs more than the Newton steps it saves: a system
/// that is too hard for the Krylov method fails instead, and the proximal parameter grows.
inline const LinearOptions kLinear{.max_krylov = 500,
                                   .cheaper_than_factorising = 100,
                                   .most_rows = 15000,
                                   .most_planar_rows = 15000};

class System {
 public:
  virtual ~System() = default;

  /// Begins at @p x, with w = B^T x.
  virtual void begin(const Points& x) = 0;
  /// The matrices that follow are better conditioned than the last: a Krylov method may do again.
  virtual void expect_easier() = 0;
  /// u = B w + R x + r, or N x + r. @p x: the point that begin() and advance() led to.
  virtual void velocities(const Points& x, Points& u) const = 0;
  /// |w - B^T x|^2, J; 0 without bodies.
  virtual double momentum_error() const = 0;
  /// The step @p dx for @p h and @p g, which may be overwritten. @returns false when no linear
  /// solver could give it.
  virtual bool solve(Blocks& h, Points& g, Points& dx) = 0;
  /// Goes @p theta along the last step; negative: back.
  virtual void advance(double theta) = 0;
  virtual const LinearSolver& linear() const = 0;
  /// How linear solves differed from those asked for; empty where they did not.
  virtual std::string note() const { return linear().note(); }
};

/// @pre has_body_rows(problem).
std::unique_ptr<System> make_body_system(const ContactProblem& problem);
std::unique_ptr<System> make_matrix_system(const ContactProblem& problem);

}  // namespace scree::pac
