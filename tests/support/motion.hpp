#pragma once

/// Where a grain of a simulation is, and how it moves.

#include "app/run/simulation.hpp"
#include "scree/base/parallel.hpp"

namespace scree::test {

struct Motion {
  Vec3 place = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();
};

/// That of the grain @p id, on every rank. Collective.
inline Motion motion_of(const Simulation& simulation, std::int64_t id = 0) {
  const Store& store = simulation.store();
  Motion own;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    if (store.id[i] != id) continue;
    own = {store.position[i], store.velocity[i], store.angular_velocity[i]};
  }
  for (Vec3* v : {&own.place, &own.velocity, &own.spin}) {
    for (double& x : *v) x = sum_over_ranks(simulation.comm(), x);
  }
  return own;
}

}  // namespace scree::test
