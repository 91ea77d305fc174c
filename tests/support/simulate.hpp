#pragma once

/// Simulations from YAML text, for tests.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "app/run/checkpoint_state.hpp"
#include "app/run/simulation.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/config/emit.hpp"
#include "support/made_rows.hpp"

namespace scree::test {

inline Simulation simulation(const std::string& yaml, const Overrides& overrides = {}) {
  return Simulation(MPI_COMM_WORLD, read_run_config(yaml, "test.yaml", overrides));
}

inline CheckpointContent checkpoint(const Simulation& simulation) {
  CheckpointContent content = made(checkpoint_of(simulation.state(), simulation.setup().dt));
  content.configuration = emit_yaml(simulation.config());
  return content;
}

/// Whole steps.
inline void run(Simulation& simulation, std::int64_t steps) {
  const std::int64_t end = simulation.n_steps() + steps;
  while (simulation.n_steps() < end) simulation.step();
}

}  // namespace scree::test
