#pragma once

#include "app/run/observer.hpp"

namespace scree {

/// The keys under `debug.fclib`.
struct ProblemOptions {
  std::int64_t every = 0;          ///< steps; 0: never
  std::int64_t not_converged = 1;  ///< at most so many a run

  void declare(Declaration& d);
};

/// The names of a run's contact problems.
StepFileNames problem_files(const RunFolder& folder);

/// Contact problems as FCLIB files: of every `debug.fclib.every`th step its last part's, with the
/// impulses that it took, and the first `debug.fclib.not_converged` that were refused or did not
/// converge.
class Problems final : public Observer {
 public:
  using Options = ProblemOptions;
  static void declare(Declaration& d, Options& options);
  static void add_files(const RunFolder& folder, RunFiles& files);

  explicit Problems(const ObservedRun& run);
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void after_step(const ObservedStep& step) override;
  std::string after_refusal() override;

 private:
  const ProblemOptions& options_;
  std::string keep_unsolved();
  /// Collective. @p solution: impulses to write beside the problem; null: none, as where they may
  /// not be finite.
  std::filesystem::path write(Vec solution);

  std::int64_t n_unsolved_kept_ = 0;
};

}  // namespace scree
