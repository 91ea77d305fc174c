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

/// Rows of the group `contacts`.
StateGroup rows_of(std::span<const ContactRecord> records) {
  std::vector<std::int64_t> bodies;
  std::vector<std::int32_t> feature;
  std::vector<double> force;
  std::vector<double> moment;
  std::vector<double> normal;
  std::vector<double> rest_gap;
  std::vector<std::int64_t> touched;
  std::vector<double> where;
  for (const ContactRecord& r : records) {
    bodies.insert(bodies.end(), {r.key.id_a, r.key.id_b});
    feature.insert(feature.end(), {r.key.image, r.key.feature});
    force.insert(force.end(), r.force.begin(), r.force.end());
    moment.insert(moment.end(), r.moment.begin(), r.moment.end());
    normal.insert(normal.end(), r.normal.begin(), r.normal.end());
    rest_gap.push_back(r.rest_gap);
    touched.push_back(r.touched);
    where.insert(where.end(), r.where.low.begin(), r.where.low.end());
    where.insert(where.end(), r.where.high.begin(), r.where.high.end());
  }
  return {.name = "contacts",
          .arrays = {{"bodies", "1", 2, std::move(bodies)},
                     {"image_and_feature", "1", 2, std::move(feature)},
                     {"force", "N", 3, std::move(force)},
                     {"moment", "N m", 3, std::move(moment)},
                     {"normal", "1", 3, std::move(normal)},
                     {"rest_gap", "m", 1, std::move(rest_gap)},
                     {"touched", "1", 1, std::move(touched)},
                     {"where", "m", 6, std::move(where)}}};
}

std::vector<ContactRecord> records_of(const std::vector<NumberArray>& arrays) {
  const auto& bodies = numbers_of<std::int64_t>(arrays, "bodies", 2);
  const auto& feature = numbers_of<std::int32_t>(arrays, "image_and_feature", 2);
  const auto& force = numbers_of<double>(arrays, "force", 3);
  const auto& moment = numbers_of<double>(arrays, "moment", 3);
  const auto& normal = numbers_of<double>(arrays, "normal", 3);
  const auto& rest_gap = numbers_of<double>(arrays, "rest_gap", 1);
  const auto& touched = numbers_of<std::int64_t>(arrays, "touched", 1);
  const auto& where = numbers_of<double>(arrays, "where", 6);
  std::vector<ContactRecord> records(bodies.size() / 2);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i] = {.key = {bodies[2 * i], bodies[2 * i + 1], feature[2 * i], feature[2 * i + 1]},
                  .force = Vec3(&force[3 * i]),
                  .moment = Vec3(&moment[3 * i]),
                  .normal = Vec3(&normal[3 * i]),
                  .rest_gap = rest_gap[i],
                  .touched = touched[i],
                  .where = {Vec3(&where[6 * i]), Vec3(&where[6 * i + 3])}};
  }
  return records;
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
              rows_of(memory_.records()),
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
  memory_.restore(records_of(state.group("contacts")));
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
