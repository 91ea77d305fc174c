#include "scree/app/run/followed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "scree/app/config/run_config.hpp"
#include "scree/config/suggest.hpp"
#include "scree/io/tables/csv.hpp"

namespace scree {
namespace {

/// The id that @p entry is; none for a name.
std::optional<std::int64_t> id_in(std::string_view entry) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), id);
  if (error != std::errc{} || end != entry.data() + entry.size() || id < 0) return std::nullopt;
  return id;
}

/// The populations of the group or insertion @p name, or the population of that name.
std::set<std::int32_t> populations_named(std::string_view name, const RunConfig& config) {
  std::set<std::int32_t> populations;
  std::int32_t population = 0;
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const std::string& one : kind->population_names()) {
      if (kind->name == name || one == name) populations.insert(population);
      ++population;
    }
  }
  return populations;
}

using Row = FollowedRecord;
using Columns = std::vector<Column<Row>>;

Columns columns_of_place() {
  return {
      {"time", "s", "simulated time at the end of the step",
       [](const Row& r) { return csv_text(r.time); }},
      {"step", "1", "number of the step, from 1", [](const Row& r) { return csv_text(r.step); }},
      {"dt", "s", "length of the step, or of the part where it was cut",
       [](const Row& r) { return csv_text(r.dt); }},
      {"id", "1", "id of the grain", [](const Row& r) { return csv_text(r.grain); }},
      {"group", "", "its group, population or insertion",
       [](const Row& r) { return csv_text(r.group); }},
      {"position_x", "m",
       "its centre at the end of the step; in periodic directions where it went, as if space did "
       "not repeat",
       [](const Row& r) { return csv_text(r.position.x()); }},
      {"position_y", "m", "", [](const Row& r) { return csv_text(r.position.y()); }},
      {"position_z", "m", "", [](const Row& r) { return csv_text(r.position.z()); }},
      {"velocity_x", "m/s", "velocity of its centre at the end of the step",
       [](const Row& r) { return csv_text(r.velocity.x()); }},
      {"velocity_y", "m/s", "", [](const Row& r) { return csv_text(r.velocity.y()); }},
      {"velocity_z", "m/s", "", [](const Row& r) { return csv_text(r.velocity.z()); }},
      {"angular_velocity_x", "rad/s", "its angular velocity at the end of the step, world frame",
       [](const Row& r) { return csv_text(r.angular_velocity.x()); }},
      {"angular_velocity_y", "rad/s", "",
       [](const Row& r) { return csv_text(r.angular_velocity.y()); }},
      {"angular_velocity_z", "rad/s", "",
       [](const Row& r) { return csv_text(r.angular_velocity.z()); }},
  };
}

Columns columns_of_force() {
  return {
      {"force_x", "N",
       "force on it of all that it touches, walls and tools among them: impulse of the step over "
       "dt, world frame",
       [](const Row& r) { return csv_text(r.force.x()); }},
      {"force_y", "N", "", [](const Row& r) { return csv_text(r.force.y()); }},
      {"force_z", "N", "", [](const Row& r) { return csv_text(r.force.z()); }},
      {"torque_x", "N m", "torque of these about its centre at the start of the step, world frame",
       [](const Row& r) { return csv_text(r.torque.x()); }},
      {"torque_y", "N m", "", [](const Row& r) { return csv_text(r.torque.y()); }},
      {"torque_z", "N m", "", [](const Row& r) { return csv_text(r.torque.z()); }},
      {"loaded_contacts", "1", "its contacts that bear a force",
       [](const Row& r) { return csv_text(r.contacts); }},
  };
}

}  // namespace

bool is_grain_id(std::string_view entry) {
  return id_in(entry).has_value();
}

FollowedGrains followed_grains(const RunConfig& config) {
  FollowedGrains grains;
  for (const std::string& entry : config.output.of<FollowOptions>().follow) {
    if (const std::optional<std::int64_t> id = id_in(entry)) {
      grains.ids.insert(*id);
    } else {
      grains.populations.merge(populations_named(entry, config));
    }
  }
  return grains;
}

std::string fault_of_follow(std::string_view entry, const RunConfig& config) {
  const bool is_name = !populations_named(entry, config).empty();
  if (id_in(entry)) {
    if (!is_name) return {};
    return fmt::format(
        "\"{}\" is an id, and the name of grains, too; allowed: another name for these", entry);
  }
  if (is_name) return {};
  std::vector<std::string> names;
  for (const GrainKind* kind : config.grain_kinds()) names.push_back(kind->name);
  for (const std::string& one : config.population_names()) {
    if (std::ranges::find(names, one) == names.end()) names.push_back(one);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return fmt::format(
      "\"{}\" is no id of a grain, no group of bodies, no population and no "
      "insertion; {}",
      entry, suggestion_and_list(entry, known));
}

std::span<const Column<FollowedRecord>> followed_columns() {
  static const Columns columns = [] {
    Columns all = columns_of_place();
    std::ranges::move(columns_of_force(), std::back_inserter(all));
    return all;
  }();
  return columns;
}

std::filesystem::path followed_table(const RunFolder& folder) {
  return folder.root() / "followed.csv";
}

}  // namespace scree
