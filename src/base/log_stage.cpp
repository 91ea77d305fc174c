#include "scree/base/log_stage.hpp"

#include <petsclog.h>

#include <array>
#include <cstddef>

#include "scree/base/check.hpp"

namespace scree {
namespace {

/// By Stage, as PETSc's table names them.
constexpr std::array kNames{"domain",  "contacts",      "assemble",      "solve",
                            "sweeps",  "matrix values", "factorisation", "linear solves",
                            "measure", "advance",       "output"};

static_assert(kNames.size() == static_cast<std::size_t>(Stage::count));

using Numbers = std::array<PetscLogStage, kNames.size()>;

/// All at once, so that every rank numbers them alike.
Numbers register_all() {
  Numbers numbers{};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    SCREE_PETSC(PetscLogStageRegister(kNames[i], &numbers[i]));
  }
  return numbers;
}

}  // namespace

LogStage::LogStage(Stage stage) {
  static const Numbers numbers = register_all();
  SCREE_PETSC(PetscLogStagePush(numbers[static_cast<std::size_t>(stage)]));
}

LogStage::~LogStage() {
  static_cast<void>(PetscLogStagePop());
}

}  // namespace scree
