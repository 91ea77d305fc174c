#pragma once

/// The keys under `solver:`: those that all methods have, here; those of one method beside it,
/// declared by its row of the registry under its name.

#include <string>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/solver/gradient/apgd.hpp"
#include "scree/solver/gradient/pgj.hpp"
#include "scree/solver/interior_point/ipm.hpp"
#include "scree/solver/interior_point/kleinert.hpp"
#include "scree/solver/lcp/fischer.hpp"
#include "scree/solver/lcp/minmap.hpp"
#include "scree/solver/solver.hpp"
#include "scree/solver/sweeps/nsgs.hpp"
#include "scree/solver/sweeps/pgs.hpp"

namespace scree {

class Declaration;

/// The course that is taken when a method does not converge. In all but `abort` the step is
/// accepted with the best impulses found.
enum class NotConverged {
  proceed,   ///< `continue`: nothing but the count at the end of the run
  warn,      ///< it is told
  fallback,  ///< other methods are tried; when they all fail, it is told
  abort,     ///< the run ends before the step changes the bodies
  halve,     ///< a run takes the step again in halves; when they do not converge either, it is told
};
template <>
inline constexpr std::array kNamesOf<NotConverged> = names("continue", "warn", "fallback", "abort",
                                                           "halve");

/// The form of a problem by which methods multiply, and of which they make their systems.
enum class MatrixForm {
  blocks,  ///< contacts' frames and bodies' masses (problem/block_rows.hpp)
  petsc,   ///< J and M^-1 as distributed PETSc matrices (problem/matrix_form.hpp)
};
template <>
inline constexpr std::array kNamesOf<MatrixForm> = names("blocks", "petsc");

struct SolverOptions {
  SolverOptions();

  std::string method = "auto";
  MatrixForm matrices = MatrixForm::blocks;
  StopOptions stop;
  NotConverged on_not_converged = NotConverged::fallback;
  /// The methods that on_not_converged `fallback` tries, in order; `auto` stands for those of the
  /// law.
  std::vector<std::string> fallback = {"auto"};
  NsgsOptions nsgs;
  ApgdOptions apgd;
  PgjOptions pgj;
  PgsOptions pgs;
  PsorOptions psor;
  AmgsOptions amgs;
  IpmOptions ipm;
  KleinertOptions kleinert;
  LcpNewtonOptions minmap;
  FischerOptions fischer;

  void declare(Declaration& d);
};

}  // namespace scree
