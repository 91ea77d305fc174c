#include "problems.hpp"

#include <fmt/format.h>

#include "scree/config/emit.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {

void Problems::go_on() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) cut_problems(run_.folder, run_.point());
  });
}

void Problems::after_part(const ObservedStep& part) {
  if (part.result.impact.report.status == Status::converged) return;
  const std::string kept = keep_unsolved();
  if (kept.empty()) return;
  run_.progress.unconverged(fmt::format("step {}: {}", part.result.clock.step, kept));
}

void Problems::after_step(const ObservedStep& step) {
  const std::int64_t every = run_.config().debug.fclib.every;
  if (every > 0 && step.result.clock.step % every == 0) write(step.result.impact.impulse.get());
}

std::string Problems::after_refusal() {
  return keep_unsolved();
}

/// Where the problem of a step is that was refused or not solved, and what to do with it; empty when none was written.
std::string Problems::keep_unsolved() {
  if (n_unsolved_kept_ >= run_.config().debug.fclib.not_converged) return {};
  ++n_unsolved_kept_;
  try {
    return fmt::format("its contact problem: scree solve {} --replay", write(nullptr).string());
  } catch (const Failure& failure) {
    return fmt::format("its contact problem could not be written: {}", failure.what());
  }
}

std::filesystem::path Problems::write(Vec solution) {
  const StepResult& result = run_.simulation.result();
  const StepClock& clock = result.clock;
  const std::filesystem::path file =
      run_.folder.problem(clock.step, clock.part(), clock.parts_of_step());
  together(run_.comm(), [this] {
    if (run_.is_speaker()) std::filesystem::create_directories(run_.folder.problems());
  });
  FclibNotes notes{.title = fmt::format("{}, {}", run_.config().name, result.posed.problem.origin),
                   .configuration = run_.run_yaml,
                   .solver = emit_yaml(SolveConfig{run_.config().solver}),
                   .body_ids = result.body_ids,
                   .guess = result.guess.get(),
                   .solution = solution};
  for (const Contact& contact : result.contacts) {
    notes.contact_ids.push_back(contact.key.id_a);
    notes.contact_ids.push_back(contact.key.id_b);
  }
  write_fclib(result.posed.problem, file, notes);
  return file;
}

}  // namespace scree
