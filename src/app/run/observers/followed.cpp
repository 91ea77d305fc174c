#include "followed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "scree/config/declaration.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/step/grain_forces.hpp"
#include "tables.hpp"

namespace scree {
namespace {

/// A followed grain as one rank knows it: its motion where the rank owns it, and the rank's part of
/// the force.
struct FollowedPart {
  ForceOnGrain force;
  std::int64_t owned = 0;  ///< 1 where the rank owns the grain, else 0
  std::int64_t population = 0;
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
};

std::vector<FollowedPart> parts_of_rank(const Simulation& simulation, const StepResult& step,
                                        const FollowedGrains& grains) {
  std::vector<FollowedPart> parts;
  const auto is_followed = [&grains](std::int64_t id, std::int32_t population) {
    return grains.has(id, population);
  };
  for (const ForceOnGrain& force : forces_on_grains(step, is_followed)) parts.push_back({force});
  const Store& store = simulation.store();
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (!grains.has(store.id[slot], store.group[slot])) continue;
    parts.push_back({.force = {.id = store.id[slot]},
                     .owned = 1,
                     .population = store.group[slot],
                     .position = unwrapped(store, simulation.setup().cell, slot),
                     .velocity = store.velocity[slot],
                     .angular_velocity = store.angular_velocity[slot]});
  }
  return parts;
}

/// The parts of all ranks on rank 0, in the order of ids, those of one grain in that of ranks;
/// nothing on the others. Collective.
std::vector<FollowedPart> gathered(MPI_Comm comm, const std::vector<FollowedPart>& parts) {
  RankBytes outgoing;
  for (const FollowedPart& part : parts) append_record(outgoing[0], part);
  std::vector<FollowedPart> all;
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, all);
  std::ranges::stable_sort(all, {}, [](const FollowedPart& part) { return part.force.id; });
  return all;
}

/// The records of the grains that are there, of all their parts, sorted by id.
std::vector<FollowedRecord> records_of(const std::vector<FollowedPart>& parts,
                                       const StepClock& clock,
                                       const std::vector<std::string>& groups) {
  std::vector<FollowedRecord> records;
  for (auto part = parts.begin(); part != parts.end();) {
    FollowedRecord record;
    record.time = clock.end;
    record.step = clock.step;
    record.dt = clock.dt;
    record.grain = part->force.id;
    bool is_there = false;
    for (; part != parts.end() && part->force.id == record.grain; ++part) {
      record.force += part->force.force;
      record.torque += part->force.torque;
      record.contacts += part->force.contacts;
      if (part->owned == 0) continue;
      is_there = true;
      record.group = groups[static_cast<std::size_t>(part->population)];
      record.position = part->position;
      record.velocity = part->velocity;
      record.angular_velocity = part->angular_velocity;
    }
    if (is_there) records.push_back(std::move(record));
  }
  return records;
}

/// Which of @p ids, in their order, are those of grains. Collective.
std::vector<std::uint8_t> are_there(const Simulation& simulation,
                                    const std::set<std::int64_t>& ids) {
  const Store& store = simulation.store();
  std::vector<std::uint8_t> there(ids.size(), 0);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const auto found = ids.find(store.id[slot]);
    if (found != ids.end()) there[std::distance(ids.begin(), found)] = 1;
  }
  or_over_ranks(simulation.comm(), there);
  return there;
}

}  // namespace

void Followed::declare(Declaration& d, Options& options) {
  d.texts("follow", options.follow,
          {.help = "grains whose place, velocity and force stand in the table followed.csv, as "
                   "often as output.csv: ids, and names of groups, populations (GROUP.POPULATION) "
                   "or insertions"});
}

void Followed::require(Declaration& d, const RunConfig& config) {
  for (const std::string& entry : config.output.of<FollowOptions>().follow) {
    const std::string fault = fault_of_follow(entry, config);
    d.require("output", fault.empty(), fmt::format("follow: {}", fault));
  }
}

void Followed::add_files(const RunFolder& folder, RunFiles& files) {
  files.single.push_back(followed_table(folder));
}

void Followed::check_files(const RunFolder& folder, const RunConfig& /*config*/,
                           const RunPoint& point) {
  static_cast<void>(kept_of_table(followed_table(folder), csv_header(followed_columns()), point));
}

void Followed::check_bodies(const Simulation& simulation) {
  const std::set<std::int64_t> ids = followed_grains(simulation.config()).ids;
  if (ids.empty()) return;
  const std::vector<std::uint8_t> there = are_there(simulation, ids);
  const State& state = simulation.state();
  const bool has_begun = state.done.steps > 0 || state.done.parts > 0;
  auto is_there = there.begin();
  for (const std::int64_t id : ids) {
    if (*is_there++ != 0 || (has_begun && id < state.next_id)) continue;
    throw InputError(fmt::format(
        "output.follow: there is no grain {}; allowed: ids of grains that are there at the start, "
        "the highest of which is {}, and the names of groups, populations and insertions",
        id, state.next_id - 1));
  }
}

std::vector<TableHelp> Followed::tables() {
  return {table_help("followed.csv", "table of grains that are followed", followed_columns())};
}

Followed::Followed(const ObservedRun& run)
    : Observer(run),
      grains_(followed_grains(run.config())),
      groups_(run.config().population_names()) {}

/// @pre on the rank that speaks
void Followed::open(bool append) {
  if (grains_.empty()) return;
  table_ = CsvWriter<FollowedRecord>(followed_table(run_.folder), followed_columns(), append);
}

void Followed::start() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) open(false);
  });
}

void Followed::go_on() {
  constexpr std::int64_t kAnyNumber = 0;  // grains come and go
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    go_on_with_table(run_, followed_table(run_.folder), csv_header(followed_columns()), kAnyNumber,
                     "output.follow");
    open(true);
  });
}

void Followed::after_part(const ObservedStep& part) {
  if (grains_.empty() || !has_rows(run_, part)) return;
  const std::vector<FollowedPart> parts =
      gathered(run_.comm(), parts_of_rank(run_.simulation, part.result, grains_));
  together(run_.comm(), [&] {
    for (const FollowedRecord& record : records_of(parts, part.result.clock, groups_)) {
      table_.write(record);
    }
  });
}

void Followed::to_disk() {
  together(run_.comm(), [this] { table_.flush_to_disk(); });
}

}  // namespace scree
