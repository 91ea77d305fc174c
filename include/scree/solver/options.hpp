#pragma once

/// The keys under `solver:`.

#include <string>

#include "scree/config/declaration.hpp"
#include "scree/solver/interior_point/ipm.hpp"
#include "scree/solver/interior_point/kleinert.hpp"
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

/// See solver/sweeps/sweep_solver.hpp.
struct NsgsOptions {
  double over_relaxation = 0.0;
  bool inertia = true;
  void declare(Declaration& d);
};

/// See solver/sweeps/pgs.hpp.
struct PgsOptions {
  bool inertia = false;
  void declare(Declaration& d);
};

struct PsorOptions {
  double relaxation = 0.0;
  bool inertia = true;
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
  PgsOptions pgs;
  PsorOptions psor;
  AmgsOptions amgs;
  LcpNewtonOptions minmap;
  FischerOptions fischer;
  IpmOptions ipm;
  KleinertOptions kleinert;

  void declare(Declaration& d);
};

}  // namespace scree
