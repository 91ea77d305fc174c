#include "problems.hpp"

#include <fmt/format.h>

#include "scree/config/declaration.hpp"
#include "scree/config/emit.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace {

/// In the place of the ids of a row that is no contact's.
constexpr std::int64_t kNoId = -1;

}  // namespace

void ProblemOptions::declare(Declaration& d) {
  d.integer("every", every,
            {.help = "steps from one written contact problem to the next; 0: none", .min = 0});
  d.integer("not_converged", not_converged,
            {.help = "how many contact problems that were not solved are written", .min = 0});
}

StepFileNames problem_files(const RunFolder& folder) {
  return {folder.root() / "problems", "step", "hdf5"};
}

void Problems::declare(Declaration& d, Options& options) {
  d.object("fclib", options, {.help = "contact problems as FCLIB files, for `scree solve`"});
}

void Problems::add_files(const RunFolder& folder, RunFiles& files) {
  files.of_steps.push_back(problem_files(folder));
  files.folders_later.push_back(problem_files(folder).folder);
}

Problems::Problems(const ObservedRun& run)
    : Observer(run), options_(run.config().debug.of<ProblemOptions>()) {}

void Problems::go_on() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) remove_later(problem_files(run_.folder), run_.point());
  });
}

void Problems::after_part(const ObservedStep& part) {
  if (part.result.impact.report.status == Status::converged) return;
  const std::string kept = keep_unsolved();
  if (kept.empty()) return;
  run_.progress.unconverged(fmt::format("step {}: {}", part.result.clock.step, kept));
}

void Problems::after_step(const ObservedStep& step) {
  const std::int64_t every = options_.every;
  if (every > 0 && step.result.clock.step % every == 0) write(step.result.impact.impulse.get());
}

std::string Problems::after_refusal() {
  return keep_unsolved();
}

/// Where the problem of a step is that was refused or not solved, and what to do with it; empty
/// when none was written.
std::string Problems::keep_unsolved() {
  if (n_unsolved_kept_ >= options_.not_converged) return {};
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
  const StepFileNames names = problem_files(run_.folder);
  const std::filesystem::path file = names.of(clock.step, clock.part(), clock.parts_of_step());
  together(run_.comm(), [&] {
    if (run_.is_speaker()) std::filesystem::create_directories(names.folder);
  });
  FclibNotes notes{
      .title = fmt::format("{}, {}", run_.config().name, result.formulated.problem.origin),
      .configuration = run_.run_yaml,
      .solver = emit_yaml(SolveConfig{run_.simulation.config_in_force().solver}),
      .velocity_error = result.velocity_error,
      .body_ids = result.body_ids,
      .guess = result.guess.get(),
      .solution = solution};
  for (const Contact& contact : result.contacts) {
    notes.contact_ids.push_back(contact.key.id_a);
    notes.contact_ids.push_back(contact.key.id_b);
  }
  const ContactProblem& problem = result.formulated.problem;
  notes.contact_ids.resize(2 * problem.cones.count(), kNoId);
  write_fclib(problem, file, notes);
  return file;
}

}  // namespace scree
