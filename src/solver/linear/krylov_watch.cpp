#include "krylov_watch.hpp"

#include <memory>
#include <utility>

namespace scree {
namespace {

/// Iterations from one look to the next: a look is a sum over ranks, as each iteration has several.
constexpr PetscInt kBetweenLooks = 20;

/// The data of PETSc's own test beside the watch.
struct TestData {
  KrylovWatch* watch = nullptr;
  void* own = nullptr;
};

}  // namespace

void KrylovWatch::attach(KSP solver) {
  auto data = std::make_unique<TestData>();
  data->watch = this;
  SCREE_PETSC(KSPConvergedDefaultCreate(&data->own));
  SCREE_PETSC(
      KSPSetConvergenceTest(solver, &KrylovWatch::test, data.release(), &KrylovWatch::destroy));
}

void KrylovWatch::rethrow() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

PetscErrorCode KrylovWatch::test(KSP solver, PetscInt iteration, PetscReal norm,
                                 KSPConvergedReason* reason, void* context) noexcept {
  const auto* data = static_cast<TestData*>(context);
  const PetscErrorCode code = KSPConvergedDefault(solver, iteration, norm, reason, data->own);
  const bool looks = iteration > 0 && iteration % kBetweenLooks == 0;
  if (code == 0 && *reason == KSP_CONVERGED_ITERATING && looks && data->watch->asks_for_end()) {
    *reason = KSP_DIVERGED_ITS;
  }
  return code;
}

PetscErrorCode KrylovWatch::destroy(void* context) noexcept {
  const std::unique_ptr<TestData> data(static_cast<TestData*>(context));
  return KSPConvergedDefaultDestroy(data->own);
}

bool KrylovWatch::asks_for_end() noexcept {
  try {
    ended_ = out_of_time_();
  } catch (...) {
    ended_ = true;
    thrown_ = std::current_exception();
  }
  return ended_;
}

}  // namespace scree
