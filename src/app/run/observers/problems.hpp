#pragma once

#include "app/run/observer.hpp"

namespace scree {

/// Contact problems as FCLIB files: of every `debug.fclib.every`th step its last part's, with the impulses that it
/// took, and the first `debug.fclib.not_converged` that were refused or did not converge.
class Problems final : public Observer {
 public:
  using Observer::Observer;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void after_step(const ObservedStep& step) override;
  std::string after_refusal() override;

 private:
  std::string keep_unsolved();
  /// Collective. @p solution: impulses to write beside the problem; null: none, as where they may not be finite.
  std::filesystem::path write(Vec solution);

  std::int64_t n_unsolved_kept_ = 0;
};

}  // namespace scree
