#include "scree/base/log_stage.hpp"

#include <petsclog.h>

#include <array>
#include <cstddef>

#include "scree/base/check.hpp"

namespace scree {
namespace {

using Numbers = std::array<PetscLogStage, kNamesOf<Stage>.size()>;

/// All at once, so that every rank numbers them alike.
Numbers register_all() {
  Numbers numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    SCREE_PETSC(PetscLogStageRegister(kNamesOf<Stage>[i].data(), &numbers[i]));
  }
  return numbers;
}

}  // namespace

LogStage::LogStage(Stage stage) {
  static const Numbers numbers = register_all();
  SCREE_PETSC(PetscLogStagePush(numbers[index_of(stage)]));
}

LogStage::~LogStage() {
  static_cast<void>(PetscLogStagePop());
}

}  // namespace scree
