#pragma once

/// The records of steps.csv and tools.csv: a plain struct each, and one table of columns that
/// drives the header, the rows and the reference of columns. To add a quantity: a member, and a row
/// of the table in src/app/run/records.cpp; figures of one impact law or one way of constraints are
/// columns of its own (step/figures.hpp).
///
/// tools.csv has one row a step and tool (not one row a step with columns for each tool): its
/// columns are then the same in every run, whatever the tools are called, so that the table of
/// columns documents them and runs with different tools can be joined.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/stage_clock.hpp"
#include "scree/io/tables/columns.hpp"
#include "scree/problem/measure.hpp"
#include "scree/sources/removal.hpp"
#include "scree/step/figures.hpp"
#include "scree/step/projection.hpp"

namespace scree {

/// The contact that is furthest from its law.
struct WorstRecord {
  bool is_contact = true;     ///< false: a joint or a motor, which is `other`, without a place
  std::int64_t grain = 0;     ///< id
  std::string other;          ///< `grain 17`, or the name of a wall or tool
  Vec3 where = Vec3::Zero();  ///< m
};

/// One row of steps.csv: a step, or a part of one that was cut.
struct StepRecord {
  double time = 0.0;  ///< at the end of the step, s
  std::int64_t step = 0;
  double dt = 0.0;         ///< s
  std::int64_t stage = 1;  ///< of the run, from 1
  std::int64_t bodies = 0;
  std::int64_t contacts = 0;         ///< potential ones: the cones of the problem
  std::int64_t active_contacts = 0;  ///< pairs: normal impulse above 1e-3 of the mean one
  std::string solver;
  std::int64_t iterations = 0;
  std::int64_t inner_iterations = 0;
  std::string status;
  std::string reason;  ///< code_of() the methods that were tried
  Measures measures;
  Figures figures;                   ///< of the impact law, and of the constraints
  std::optional<WorstRecord> worst;  ///< of a step that was not solved
  double penetration =
      0.0;  ///< largest overlap over the smaller radius, less the spring's compression
  double compression = 0.0;  ///< largest compression of a contact's spring over the smaller radius
  Projected projected;       ///< places that were moved out of overlaps
  double kinetic_energy = 0.0;    ///< J
  double potential_energy = 0.0;  ///< potential energy in gravity, from the origin, J
  double field_power = 0.0;       ///< power of `forces` on the grains, W
  double drag_power = 0.0;        ///< power of the fluid on the grains, W
  std::int64_t inserted = 0;      ///< grains that came in, since the start
  double inserted_mass = 0.0;     ///< mass of the grains that came in, kg
  double waiting_mass = 0.0;      ///< due to come in, kg
  Removed removed;                ///< since the start
  StageSeconds seconds;           ///< the slowest rank's
  double imbalance = 0.0;         ///< heaviest rank's load over the mean
  std::int64_t ghosts = 0;        ///< ghosts of all ranks
  std::int64_t migrated = 0;      ///< bodies that changed their owner
  std::int64_t messages = 0;      ///< sent between ranks, of all ranks
  std::int64_t bytes = 0;         ///< sent between ranks, of all ranks
};

/// One row of tools.csv: what the grains did to a tool or wall in a step.
struct ToolRecord {
  double time = 0.0;  ///< at the end of the step, s
  std::int64_t step = 0;
  double dt = 0.0;  ///< s
  std::string tool;
  Vec3 force = Vec3::Zero();     ///< impulse of the step over dt, world frame, N
  Vec3 torque = Vec3::Zero();    ///< about the tool's position, world frame, N m
  Vec3 position = Vec3::Zero();  ///< m
  Vec3 velocity = Vec3::Zero();  ///< m/s
  std::int64_t contacts = 0;     ///< potential ones
};

/// `, worst between grain 17 and floor at (0.1, 0, 0.2) m`; `, worst joint pin` where
/// that is further from its law; empty where none is known to be.
std::string worst_in_words(const StepRecord& record);

/// With the columns of impact laws and of ways of constraints (step/figures.hpp) among them.
std::span<const Column<StepRecord>> step_columns();
std::span<const Column<ToolRecord>> tool_columns();

}  // namespace scree
