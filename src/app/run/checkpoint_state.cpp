#include "checkpoint_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "joint_state.hpp"
#include "motion_state.hpp"
#include "record_rows.hpp"
#include "scree/base/parallel.hpp"
#include "scree/bodies/inertia.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/io/state/mesh_table.hpp"
#include "scree/io/state/shape_tables.hpp"
#include "scree/io/state/store_arrays.hpp"

namespace scree {
namespace {

/// A tool may be off its place by this part of the smallest radius: rounding of a path that is told
/// in another way.
constexpr double kJump = 1e-6;

/// Rows of the group `contacts`.
StateRows rows_of(const ContactMemory& memory) {
  const ContactRecords& records = memory.records();
  const auto at = [&records](std::size_t i) { return records[i]; };
  const auto reals = [&](const char* name, const char* unit, int width, auto write) {
    return rows_of_each<double>(name, unit, width, records.size(), at, write);
  };
  const auto vectors = [&](const char* name, const char* unit, auto member) {
    return reals(name, unit, 3,
                 [member](const ContactRecord& r, double* to) { put(r.*member, to); });
  };
  return {
      .name = "contacts",
      .arrays = {
          rows_of_each<std::int64_t>("bodies_feature", "1", 3, records.size(), at,
                                     [](const ContactRecord& r, std::int64_t* to) {
                                       to[0] = r.key.id_a;
                                       to[1] = r.key.id_b;
                                       to[2] = r.key.feature;
                                     }),
          rows_of_each<std::int32_t>("image_recursion", "1", 2, records.size(), at,
                                     [](const ContactRecord& r, std::int32_t* to) {
                                       to[0] = r.key.image;
                                       to[1] = r.key.recursion;
                                     }),
          vectors("force", "N", &ContactRecord::force),
          vectors("moment", "N m", &ContactRecord::moment),
          vectors("normal", "1", &ContactRecord::normal), vectors("arm", "m", &ContactRecord::arm),
          reals("rest_gap", "m", 1, [](const ContactRecord& r, double* to) { *to = r.rest_gap; }),
          rows_of_each<std::int64_t>(
              "touched", "1", 1, records.size(), at,
              [](const ContactRecord& r, std::int64_t* to) { *to = r.touched; }),
          reals("where", "m", 6, [&memory](const ContactRecord& r, double* to) {
            const Box3 box = memory.box(r);
            put(box.high, put(box.low, to));
          })}};
}

ContactRecords records_of(const std::vector<NumberArray>& arrays) {
  const auto& feature = numbers_of<std::int64_t>(arrays, "bodies_feature", 3);
  const auto& image = numbers_of<std::int32_t>(arrays, "image_recursion", 2);
  const auto& force = numbers_of<double>(arrays, "force", 3);
  const auto& moment = numbers_of<double>(arrays, "moment", 3);
  const auto& normal = numbers_of<double>(arrays, "normal", 3);
  const auto& arm = numbers_of<double>(arrays, "arm", 3);
  const auto& rest_gap = numbers_of<double>(arrays, "rest_gap", 1);
  const auto& touched = numbers_of<std::int64_t>(arrays, "touched", 1);
  const auto& where = numbers_of<double>(arrays, "where", 6);
  ContactRecords records;
  records.restart(feature.size() / 3);
  for (std::size_t i = 0; i < feature.size() / 3; ++i) {
    const OuterBox box({Vec3(&where[6 * i]), Vec3(&where[6 * i + 3])});
    records.push_back({.key = {feature[3 * i], feature[3 * i + 1], feature[3 * i + 2], image[2 * i],
                               image[2 * i + 1]},
                       .force = Vec3(&force[3 * i]),
                       .normal = Vec3(&normal[3 * i]),
                       .rest_gap = rest_gap[i],
                       .touched = static_cast<std::int32_t>(touched[i]),
                       .arm = Vec3(&arm[3 * i]).cast<float>(),
                       .moment = Vec3(&moment[3 * i]).cast<float>(),
                       .where = records.place_of(box)});
  }
  return records;
}

constexpr std::string_view kRowsOf = "rows_of_";

/// Rows of the group of the source @p name.
StateRows rows_of(const std::string& name, std::span<const RowRecord> records) {
  const auto reals = [&](const char* array, const char* unit, int width, auto write) {
    return rows_of_records<double>(array, unit, width, records, write);
  };
  return {.name = std::string(kRowsOf) + name,
          .arrays = {rows_of_records<std::int64_t>(
                         "key", "1", 1, records,
                         [](const RowRecord& r, std::int64_t* to) { *to = r.key; }),
                     reals("force", "N", cones::kMostRows,
                           [](const RowRecord& r, double* to) { put(r.force, to); }),
                     reals("state", "1", 1, [](const RowRecord& r, double* to) { *to = r.state; }),
                     reals("where", "m", 6, [](const RowRecord& r, double* to) {
                       put(r.where.high, put(r.where.low, to));
                     })}};
}

std::vector<RowRecord> row_records_of(const std::vector<NumberArray>& arrays) {
  const auto& key = numbers_of<std::int64_t>(arrays, "key", 1);
  const auto& force = numbers_of<double>(arrays, "force", cones::kMostRows);
  const auto& state = numbers_of<double>(arrays, "state", 1);
  const auto& where = numbers_of<double>(arrays, "where", 6);
  std::vector<RowRecord> records(key.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].key = key[i];
    std::copy_n(&force[cones::kMostRows * i], cones::kMostRows, records[i].force.begin());
    records[i].state = state[i];
    records[i].where = {Vec3(&where[6 * i]), Vec3(&where[6 * i + 3])};
  }
  std::ranges::sort(records, {}, &RowRecord::key);
  const auto twice = std::ranges::unique(records, {}, &RowRecord::key);
  records.erase(twice.begin(), twice.end());  // of a step that was not taken
  return records;
}

/// The memory of all sources of rows that have one.
RowMemory row_memory_of(const std::vector<StateGroup>& groups) {
  RowMemory memory;
  for (const StateGroup& group : groups) {
    if (!group.name.starts_with(kRowsOf)) continue;
    memory[group.name.substr(kRowsOf.size())] = row_records_of(group.arrays);
  }
  return memory;
}

StateGroup rows_of(std::span<const InsertionState> insertions) {
  std::vector<std::int64_t> count;
  std::vector<double> mass;
  std::vector<std::int32_t> ended;
  for (const InsertionState& insertion : insertions) {
    count.push_back(insertion.count);
    mass.push_back(insertion.mass);
    ended.push_back(insertion.ended ? 1 : 0);
  }
  return {.name = "insertions",
          .common = true,
          .arrays = {{"count", "1", 1, std::move(count)},
                     {"mass", "kg", 1, std::move(mass)},
                     {"ended", "1", 1, std::move(ended)}}};
}

std::vector<InsertionState> insertions_of(const std::vector<NumberArray>& arrays) {
  const auto& count = numbers_of<std::int64_t>(arrays, "count", 1);
  const auto& mass = numbers_of<double>(arrays, "mass", 1);
  const auto& ended = numbers_of<std::int32_t>(arrays, "ended", 1);
  std::vector<InsertionState> insertions(count.size());
  for (std::size_t i = 0; i < count.size(); ++i) {
    insertions[i] = {.count = count[i], .mass = mass[i], .ended = ended[i] != 0};
  }
  return insertions;
}

/// Prescribed tools follow their paths, which may have changed: not so that they are elsewhere now.
void refuse_jumps(const State& state, const Setup& setup, const Store& wanted) {
  const Store& bodies = state.bodies;
  for (std::int32_t i = 0; i < bodies.n_tools; ++i) {
    if (wanted.is_free_tool(i)) continue;
    const Vec3 jump = wanted.position[i] - bodies.position[i];
    const Vec3 turn = rotation_vector(wanted.orientation[i] * bodies.orientation[i].conjugate());
    if (jump.norm() <= kJump * state.smallest_radius && turn.norm() <= kJump) continue;
    const Vec3& now = bodies.position[i];
    throw InputError(fmt::format(
        "tools.{}: at {} s it is at ({}, {}, {}) m; the configuration has it {} m away and turned "
        "by {} rad, and a tool cannot jump: let its changed motion pass through that place then",
        setup.tools[i].name, state.done.time(setup.dt), now.x(), now.y(), now.z(), jump.norm(),
        turn.norm()));
  }
}

void refuse_other_count(std::string_view what, std::size_t before, std::size_t now) {
  if (before == now) return;
  throw InputError(
      fmt::format("{}: the checkpoint has {} and the configuration {}", what, before, now));
}

/// Held degrees of freedom keep their velocity in a step: that of the path on which the tool came,
/// or of what was free before, ends here.
void stop_where_held(Store& bodies, std::int32_t slot) {
  for (int k = 0; k < 3; ++k) {
    if (is_held(bodies, slot, k)) bodies.velocity[slot][k] = 0.0;
    if (is_held(bodies, slot, 3 + k)) bodies.angular_velocity[slot][k] = 0.0;
  }
}

}  // namespace

CheckpointContent checkpoint_of(const State& state, double dt) {
  const Store& bodies = state.bodies;
  CheckpointContent content = {
      .integers = {{"step", state.done.steps},
                   {"removed", state.removed.left},
                   {"discharged", state.removed.discharged},
                   {"next_id", state.next_id},
                   {"infeasible_steps", state.infeasible_steps},
                   {"parts", state.done.parts},
                   {"recursions", state.spent.recursions}},
      .reals = {{"time", state.done.time(dt)},
                {"smallest_radius", state.smallest_radius},
                {"last_dt", state.last_dt},
                {"discharged_mass", state.removed.discharged_mass}},
      .groups = {rows_of(state.insertions)},
      .rows = {{.name = "grains",
                .arrays = store_rows(bodies, bodies.first_owned(), bodies.end_owned())},
               {.name = "tools", .common = true, .arrays = store_rows(bodies, 0, bodies.n_tools)},
               rows_of(state.contacts)}};
  if (auto joints = rows_of_joints(state.joints)) content.rows.push_back(*std::move(joints));
  for (const auto& [name, records] : state.rows) content.rows.push_back(rows_of(name, records));
  if (std::optional<StateGroup> motions = group_of_motions(state.motions)) {
    content.groups.push_back(*std::move(motions));
  }
  if (std::isfinite(state.longest_next)) content.reals["longest_next"] = state.longest_next;
  if (state.stage.is_counted) {
    content.integers["stages_ended"] = state.stage.ended;
    content.reals["stage_began"] = state.stage.began;
  }
  for (StateGroup& table : shape_tables(*bodies.shapes)) content.groups.push_back(std::move(table));
  if (std::optional<StateGroup> meshes = mesh_table(*bodies.shapes)) {
    content.groups.push_back(*std::move(meshes));
  }
  return content;
}

State state_of(const CheckpointContent& checkpoint) {
  State state;
  state.done = {checkpoint.integer("step"), checkpoint.integer("parts")};
  state.last_dt = checkpoint.real("last_dt");
  if (checkpoint.reals.contains("longest_next")) {
    state.longest_next = checkpoint.real("longest_next");
  }
  state.spent.recursions = checkpoint.integer("recursions");
  state.removed = {.left = checkpoint.integer("removed"),
                   .discharged = checkpoint.integer("discharged"),
                   .discharged_mass = checkpoint.real("discharged_mass")};
  state.next_id = checkpoint.integer("next_id");
  state.infeasible_steps = checkpoint.integer("infeasible_steps");
  state.smallest_radius = checkpoint.real("smallest_radius");
  state.insertions = insertions_of(checkpoint.group("insertions"));
  state.bodies.shapes = std::make_shared<const ShapeLibrary>(library_of(checkpoint.groups));
  state.bodies.n_tools = append_arrays(state.bodies, checkpoint.group("tools"));
  state.bodies.n_owned = append_arrays(state.bodies, checkpoint.group("grains"));
  state.joints = joints_of(checkpoint.groups);
  state.motions = motions_of(checkpoint.groups, state.bodies.n_tools);
  if (checkpoint.integers.contains("stages_ended")) {
    state.stage = {checkpoint.integer("stages_ended"), checkpoint.real("stage_began"), true};
  }
  state.contacts.restore(records_of(checkpoint.group("contacts")));
  state.rows = row_memory_of(checkpoint.groups);
  return state;
}

void take_setup(State& state, const Setup& setup, std::span<const Material> materials) {
  refuse_other_count("insertions", state.insertions.size(), setup.insertions.size());
  for (const auto& [name, records] : state.rows) {
    const auto is_it = [&](const auto& source) { return source->name() == name; };
    if (std::ranges::any_of(setup.sources, is_it)) continue;
    throw InputError(
        fmt::format("the checkpoint remembers rows of `{}`, which the configuration lacks", name));
  }
  Store wanted;
  place_tools(setup.tools, materials, wanted, state.done.time(setup.dt));
  refuse_other_count("tools", state.bodies.n_tools, wanted.n_tools);
  refuse_jumps(state, setup, wanted);
  for (std::int32_t i = 0; i < wanted.n_tools; ++i) {
    state.bodies.mass[i] = wanted.mass[i];
    state.bodies.inertia[i] = wanted.inertia[i];
    state.bodies.fixed[i] = wanted.fixed[i];
    if (wanted.is_free_tool(i)) stop_where_held(state.bodies, i);
  }
}

}  // namespace scree
