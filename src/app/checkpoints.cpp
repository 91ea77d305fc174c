#include "scree/app/checkpoints.hpp"

#include <utility>

#include "scree/app/checkpoint_state.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {

Checkpoints::Checkpoints(const Simulation& simulation, RunFolder folder, std::string run_yaml)
    : options_(simulation.config().output.checkpoints),
      folder_(std::move(folder)),
      run_yaml_(std::move(run_yaml)),
      schedule_(options_.every, simulation.time(), simulation.config().time.dt) {}

bool Checkpoints::due(const Simulation& simulation, double elapsed, bool last) {
  const bool by_time = schedule_.due(simulation.time(), simulation.config().time.dt);
  const bool by_wall = options_.wall_every > 0.0 && elapsed - last_ >= options_.wall_every;
  return by_time || by_wall || (last && options_.end);
}

void Checkpoints::write(const Simulation& simulation, double elapsed) {
  CheckpointContent content = checkpoint_of(simulation.state(), simulation.setup().dt);
  content.configuration = run_yaml_;
  write_checkpoint(simulation.comm(), folder_.checkpoint(simulation.n_steps()), content);
  last_ = elapsed;
  together(simulation.comm(), [this, &simulation] {
    if (rank_of(simulation.comm()) != 0) return;
    auto files = step_files(folder_.checkpoints(), "checkpoint", "h5");
    const std::size_t keep = options_.keep;
    for (std::size_t i = 0; i + keep < files.size(); ++i) std::filesystem::remove(files[i].path);
  });
}

}  // namespace scree
