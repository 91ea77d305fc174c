#include "checkpoints.hpp"

#include "app/run/checkpoint_state.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/state/checkpoint.hpp"

namespace scree {

Checkpoints::Checkpoints(const ObservedRun& run)
    : Observer(run),
      options_(run.config().output.checkpoints),
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

/// Then the oldest are removed, so that `keep` are left. @throws Failure on all ranks; then no checkpoint has been
/// removed or changed.
void Checkpoints::write(double elapsed) {
  run_.to_disk();
  const Simulation& simulation = run_.simulation;
  CheckpointContent content = checkpoint_of(simulation.state(), simulation.setup().dt);
  content.configuration = run_.run_yaml;
  write_checkpoint(run_.comm(), run_.folder.checkpoint(simulation.n_steps()), content);
  last_ = elapsed;
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    auto files = step_files(run_.folder.checkpoints(), "checkpoint", "h5");
    const auto keep = static_cast<std::size_t>(options_.keep);
    for (std::size_t i = 0; i + keep < files.size(); ++i) std::filesystem::remove(files[i].path);
  });
}

}  // namespace scree
