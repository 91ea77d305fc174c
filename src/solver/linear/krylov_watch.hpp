#pragma once

/// A look at the time while a Krylov method iterates.

#include <exception>
#include <functional>
#include <utility>

#include "scree/base/petsc.hpp"

namespace scree {

/// Whether a solve is to be ended. Collective; may throw, on every rank.
using OutOfTime = std::function<bool()>;

class KrylovWatch {
 public:
  explicit KrylovWatch(OutOfTime out_of_time) : out_of_time_(std::move(out_of_time)) {}

  /// The solves of @p solver end, as of too many iterations, where time is out. @pre this lives as
  /// long as @p solver is used.
  void attach(KSP solver);
  /// Before a solve.
  void begin() { ended_ = false; }
  /// Whether the last solve was ended so.
  bool ended() const { return ended_; }
  /// Throws what the question threw within the last solve, through which nothing may be thrown.
  void rethrow();

 private:
  static PetscErrorCode test(KSP solver, PetscInt iteration, PetscReal norm,
                             KSPConvergedReason* reason, void* context) noexcept;
  static PetscErrorCode destroy(void* context) noexcept;
  bool asks_for_end() noexcept;

  OutOfTime out_of_time_;
  bool ended_ = false;
  std::exception_ptr thrown_;
};

}  // namespace scree
