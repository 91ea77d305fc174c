/// The state of a simulation between two steps, as names and numbers, and back.

#include <fmt/format.h>

#include <span>

#include "scree/app/simulation.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/store_arrays.hpp"

namespace scree {
namespace {

/// A tool may be off its place by this part of the smallest radius: rounding of a path that is told
/// in another way.
constexpr double kJump = 1e-6;

/// Rows of the group `impulses`.
StateGroup rows_of(std::span<const KeptImpulse> kept) {
  std::vector<std::int64_t> bodies;
  std::vector<std::int32_t> feature;
  std::vector<double> impulse;
  std::vector<double> where;
  for (const KeptImpulse& k : kept) {
    bodies.insert(bodies.end(), {k.key.id_a, k.key.id_b});
    feature.insert(feature.end(), {k.key.image, k.key.feature});
    impulse.insert(impulse.end(), k.impulse.begin(), k.impulse.end());
    where.insert(where.end(), k.where.low.begin(), k.where.low.end());
    where.insert(where.end(), k.where.high.begin(), k.where.high.end());
  }
  return {.name = "impulses",
          .arrays = {{"bodies", "1", 2, std::move(bodies)},
                     {"image_and_feature", "1", 2, std::move(feature)},
                     {"impulse", "N s", 3, std::move(impulse)},
                     {"where", "m", 6, std::move(where)}}};
}

std::vector<KeptImpulse> impulses_of(const std::vector<NumberArray>& arrays) {
  const auto& bodies = numbers_of<std::int64_t>(arrays, "bodies", 2);
  const auto& feature = numbers_of<std::int32_t>(arrays, "image_and_feature", 2);
  const auto& impulse = numbers_of<double>(arrays, "impulse", 3);
  const auto& where = numbers_of<double>(arrays, "where", 6);
  std::vector<KeptImpulse> kept(bodies.size() / 2);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i].key = {bodies[2 * i], bodies[2 * i + 1], feature[2 * i], feature[2 * i + 1]};
    kept[i].impulse = Vec3(&impulse[3 * i]);
    kept[i].where = {Vec3(&where[6 * i]), Vec3(&where[6 * i + 3])};
  }
  return kept;
}

StateGroup rows_of(std::span<const Insertion> insertions) {
  std::vector<std::int64_t> count;
  std::vector<double> mass;
  std::vector<std::int32_t> ended;
  for (const Insertion& insertion : insertions) {
    count.push_back(insertion.state().count);
    mass.push_back(insertion.state().mass);
    ended.push_back(insertion.state().ended ? 1 : 0);
  }
  return {.name = "insertions",
          .common = true,
          .arrays = {{"count", "1", 1, std::move(count)},
                     {"mass", "kg", 1, std::move(mass)},
                     {"ended", "1", 1, std::move(ended)}}};
}

void restore(std::span<Insertion> insertions, const std::vector<NumberArray>& arrays) {
  const auto& count = numbers_of<std::int64_t>(arrays, "count", 1);
  const auto& mass = numbers_of<double>(arrays, "mass", 1);
  const auto& ended = numbers_of<std::int32_t>(arrays, "ended", 1);
  if (count.size() != insertions.size()) {
    throw InputError(fmt::format("insertions: the checkpoint has {} and the configuration {}",
                                 count.size(), insertions.size()));
  }
  for (std::size_t i = 0; i < insertions.size(); ++i) {
    insertions[i].restore({.count = count[i], .mass = mass[i], .ended = ended[i] != 0});
  }
}

}  // namespace

CheckpointContent Simulation::state() const {
  StateGroup grains{.name = "grains",
                    .arrays = store_arrays(store_, store_.first_owned(), store_.end_owned())};
  grains.arrays.push_back({"work", "1", 1, work_});
  return {.integers = {{"step", n_steps_},
                       {"removed", removed_.left},
                       {"discharged", removed_.discharged},
                       {"next_id", next_id_}},
          .reals = {{"time", time()},
                    {"smallest_radius", reach_.smallest_radius},
                    {"discharged_mass", removed_.discharged_mass}},
          .groups = {
              std::move(grains),
              {.name = "tools", .common = true, .arrays = store_arrays(store_, 0, store_.n_tools)},
              rows_of(warm_start_.kept()),
              rows_of(insertions_)}};
}

Simulation::Simulation(MPI_Comm comm, const RunConfig& config, const CheckpointContent& state)
    : Simulation(comm, config, Empty{}) {
  n_steps_ = state.integer("step");
  removed_ = {.left = state.integer("removed"),
              .discharged = state.integer("discharged"),
              .discharged_mass = state.real("discharged_mass")};
  set_smallest_radius(state.real("smallest_radius"));
  next_id_ = state.integer("next_id");
  restore(insertions_, state.group("insertions"));
  restore_bodies(state);
  refuse_jumps();
  work_ = numbers_of<double>(state.group("grains"), "work", 1);
  warm_start_.restore(impulses_of(state.group("impulses")));
  refuse_faulty_loads();
}

void Simulation::restore_bodies(const CheckpointContent& state) {
  store_.n_tools = append_arrays(store_, state.group("tools"));
  store_.n_owned = append_arrays(store_, state.group("grains"));
}

/// Tools follow their paths, which may have changed: not so that they are elsewhere now.
void Simulation::refuse_jumps() const {
  Store wanted;
  place_tools(config_.tools, config_.materials, wanted, time());
  if (wanted.n_tools != store_.n_tools) {
    throw InputError(fmt::format("tools: the checkpoint has {} and the configuration {}",
                                 store_.n_tools, wanted.n_tools));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(store_.n_tools); ++i) {
    const Vec3 jump = wanted.position[i] - store_.position[i];
    const Vec3 turn = rotation_vector(wanted.orientation[i] * store_.orientation[i].conjugate());
    if (jump.norm() <= kJump * reach_.smallest_radius && turn.norm() <= kJump) continue;
    const Vec3& now = store_.position[i];
    throw InputError(fmt::format(
        "tools.{}: at {} s it is at ({}, {}, {}) m; the configuration has it {} m away and turned "
        "by {} rad, and a tool cannot jump: let its changed motion pass through that place then",
        config_.tools[i].name, time(), now.x(), now.y(), now.z(), jump.norm(), turn.norm()));
  }
}

}  // namespace scree
