#include "checkpoints.hpp"

#include "app/run/checkpoint_state.hpp"
#include "scree/config/declaration.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/state/checkpoint.hpp"

namespace scree {

void CheckpointOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one checkpoint to the next; 0: not by it",
          .unit = "s",
          .min = 0.0});
  d.real("wall_every", wall_every,
         {.help = "wall-clock time from one checkpoint to the next; 0: not by it",
          .unit = "s",
          .min = 0.0});
  d.flag("end", end, {.help = "write a checkpoint after the last step"});
  d.integer("keep", keep, {.help = "how many are kept: the newest", .min = 1});
}

void cut_checkpoints(const RunFolder& folder, const RunPoint& point) {
  remove_later(folder.checkpoint_files(), point);
  remove_unfinished(folder.checkpoint_files());
}

void Checkpoints::declare(Declaration& d, Options& options) {
  d.object("checkpoints", options, {.help = "states from which a run can be continued"});
}

void Checkpoints::add_files(const RunFolder& folder, RunFiles& files) {
  files.of_steps.push_back(folder.checkpoint_files());
  files.folders_at_start.push_back(folder.checkpoints());
}

Checkpoints::Checkpoints(const ObservedRun& run)
    : Observer(run),
      options_(run.config().output.of<CheckpointOptions>()),
      schedule_(options_.every, run.end_of_last_step(), run.config().time.dt) {}

void Checkpoints::go_on() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) cut_checkpoints(run_.folder, run_.point());
  });
}

/// A run that is stopped amid a step goes on amid it.
void Checkpoints::after_part(const ObservedStep& part) {
  if (part.stop && !part.result.clock.ends_step()) write(part.elapsed);
}

void Checkpoints::after_step(const ObservedStep& step) {
  const bool due = is_due(step);
  if (due || step.stop) write(step.elapsed);
}

void Checkpoints::after_giving_up(double elapsed) {
  write(elapsed);
}

bool Checkpoints::is_due(const ObservedStep& step) {
  const bool by_time = schedule_.due(run_.simulation.time(), run_.config().time.dt);
  const bool by_wall = options_.wall_every > 0.0 && step.elapsed - last_ >= options_.wall_every;
  return by_time || by_wall || (step.last && options_.end);
}

/// Then the oldest are removed, so that `keep` are left. @throws Failure on all ranks; then no
/// checkpoint has been removed or changed.
void Checkpoints::write(double elapsed) {
  run_.to_disk();
  const Simulation& simulation = run_.simulation;
  CheckpointContent content = checkpoint_of(simulation.state(), simulation.setup().dt);
  content.configuration = run_.run_yaml;
  write_checkpoint(run_.comm(), run_.folder.checkpoint_files().of(simulation.n_steps()), content);
  last_ = elapsed;
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    auto files = step_files(run_.folder.checkpoint_files());
    const auto keep = static_cast<std::size_t>(options_.keep);
    for (std::size_t i = 0; i + keep < files.size(); ++i) std::filesystem::remove(files[i].path);
  });
}

}  // namespace scree
