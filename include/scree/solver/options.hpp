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

struct IpmOptions {
  std::string linear_solver = "cg";  ///< cg | mumps
  void declare(Declaration& d);
};

struct SolverOptions {
  std::string method = "auto";
  StopOptions stop;
  bool fallback = true;
  PgjOptions pgj;
  ApgdOptions apgd;
  NsgsOptions nsgs;
  IpmOptions ipm;

  void declare(Declaration& d);
};

}  // namespace scree
