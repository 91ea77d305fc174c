#pragma once

/// The keys under `solver:`.

#include <string>

#include "scree/config/declaration.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

struct PgjOptions {
  double relaxation = 0.9;
  void declare(Declaration& d);
};

struct ApgdOptions {
  bool restart = true;
  void declare(Declaration& d);
};

struct NsgsOptions {
  double over_relaxation = 1.3;
  void declare(Declaration& d);
};

/// See solver/sweeps/pgs.hpp.
struct PsorOptions {
  double relaxation = 1.4;
  void declare(Declaration& d);
};

struct AmgsOptions {
  double alpha = 0.25;
  void declare(Declaration& d);
};

/// See solver/lcp/minmap.hpp and solver/lcp/fischer.hpp.
struct LcpNewtonOptions {
  std::int64_t sweeps = 0;  ///< of pgs, before the first Newton step
  bool scaled = true;
  bool gradient = true;   ///< where Newton's direction is of no use
  double forcing = 1e-8;  ///< linear residual over |h|
  void declare(Declaration& d);
};

struct FischerOptions : LcpNewtonOptions {
  std::string strategy = "perturbation";  ///< random | zero | perturbation | approximation
  void declare(Declaration& d);
};

/// See solver/interior_point/kleinert.hpp.
struct KleinertOptions {
  std::string beta = "path_following";  ///< path_following | potential_reduction
  double compliance = 0.0;              ///< 1/(dt^2 k_n), 1/kg
  double start = 0.1;                   ///< mu lambda_n of each contact, N s
  std::int64_t spectrum = 0;            ///< Krylov steps that estimate eigenvalues; 0: none
  void declare(Declaration& d);
};

struct IpmOptions {
  std::string variant = "mehrotra";    ///< mehrotra | kleinert
  std::string linear_solver = "auto";  ///< auto | cg | bicgstab | gmres | mumps
  std::string preconditioner = "point_jacobi";
  bool matrix_free = false;
  double forcing = 1e-3;           ///< eta: of the linear residual, relative to the iterate's
  std::int64_t max_krylov = 4000;  ///< of one linear solve
  double regularisation = 1e-6;    ///< proximal, unit-free
  double shift = 1.0;              ///< depth of the start, in typical velocities
  double step_fraction = 0.99;     ///< of the way to the boundary
  std::int64_t max_outer = 10;     ///< rounds of the fixed point for exact friction
  KleinertOptions kleinert;
  void declare(Declaration& d);
};

/// What follows when a method does not converge. In all but `abort` the step is accepted with the best
/// impulses found.
enum class NotConverged {
  proceed,   ///< `continue`: nothing but the count at the end of the run
  warn,      ///< it is told
  fallback,  ///< other methods are tried; when they all fail, it is told
  abort,     ///< the run ends before the step changes the bodies
};

struct SolverOptions {
  std::string method = "auto";
  StopOptions stop;
  NotConverged on_not_converged = NotConverged::fallback;
  PgjOptions pgj;
  ApgdOptions apgd;
  NsgsOptions nsgs;
  PsorOptions psor;
  AmgsOptions amgs;
  LcpNewtonOptions minmap;
  FischerOptions fischer;
  IpmOptions ipm;

  void declare(Declaration& d);
};

}  // namespace scree
