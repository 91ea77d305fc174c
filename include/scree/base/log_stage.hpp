#pragma once

/// Stages of PETSc's log, which tells seconds, floating-point operations, messages and reductions
/// of each: `PETSC_OPTIONS="-log_view :profile.txt"`.

#include "scree/base/enumeration.hpp"

namespace scree {

enum class Stage {
  domain,
  contacts,
  assemble,
  solve,
  sweeps,
  matrix_values,
  factorisation,
  linear_solves,
  measure,
  advance,
  output
};
/// As PETSc's table names them.
template <>
inline constexpr std::array kNamesOf<Stage> = names("domain", "contacts", "assemble", "solve",
                                                    "sweeps", "matrix values", "factorisation",
                                                    "linear solves", "measure", "advance",
                                                    "output");

/// Events while it lives belong to its stage, and no longer to the stage around it. All ranks enter
/// the same stages in the same order. Not collective, but for the first on each rank.
class LogStage {
 public:
  explicit LogStage(Stage stage);
  ~LogStage();
  LogStage(const LogStage&) = delete;
  LogStage& operator=(const LogStage&) = delete;
};

}  // namespace scree
