#include "changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

#include "scree/joints/coordinate_spec.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTools = "tools";
constexpr std::string_view kJoints = "joints";

bool lies_under_one_of(std::string_view key, std::span<const std::string_view> sections) {
  return std::ranges::any_of(sections, [key](std::string_view s) { return lies_under(key, s); });
}

/// The part of the key of an entry of @p section, as of a tool, that follows its name; empty where
/// the key has none.
std::string_view key_of_entry(std::string_view key, std::string_view section) {
  const std::size_t name_end = key.find('.', section.size() + 1);
  return name_end == std::string_view::npos ? std::string_view() : key.substr(name_end + 1);
}

/// Only the place and the motion of a tool may change, and these only so that no tool jumps, which
/// the simulation checks; of a free tool also its mass.
bool moves_a_tool(std::string_view key) {
  constexpr std::array<std::string_view, 6> kSections{"position", "normal", "orientation",
                                                      "motion",   "mass",   "inertia"};
  return lies_under_one_of(key_of_entry(key, kTools), kSections);
}

/// Bodies, types and places of joints are the run's; limits, springs and friction along the motions
/// that they leave free may change.
bool acts_along_a_joint(std::string_view key) {
  const std::string_view of_joint = key_of_entry(key, kJoints);
  return lies_under_one_of(of_joint, kNamesOf<Coordinate>) || lies_under(of_joint, "swing");
}

/// The grains' file is not read again; where it stands is no matter.
bool is_moved_file(const Difference& change) {
  return change.key.ends_with(".place.file") &&
         fs::path(change.before).filename() == fs::path(change.after).filename();
}

/// Meshes are compared by their content, wherever they stand (app/config/config_hulls.hpp).
bool is_mesh(const Difference& change) {
  return change.key.ends_with(".shape.file");
}

bool may_change(const Difference& change) {
  constexpr std::array<std::string_view, 5> kFixed{"materials", "insertions", "periodic", "time.dt",
                                                   "time.max"};
  if (is_mesh(change)) return true;
  if (lies_under(change.key, "bodies")) return is_moved_file(change);
  if (lies_under(change.key, kTools)) return moves_a_tool(change.key);
  if (lies_under(change.key, kJoints)) return acts_along_a_joint(change.key);
  return !lies_under_one_of(change.key, kFixed);
}

bool may_change_in_a_stage(const Difference& change) {
  constexpr std::array<std::string_view, 6> kOfTheRun{"name",   "time",  "stages",
                                                      "output", "debug", "bodies"};
  constexpr std::array<std::string_view, 3> kPlaces{"position", "normal", "orientation"};
  if (!may_change(change) || is_mesh(change)) return false;
  if (lies_under_one_of(change.key, kOfTheRun)) return false;
  return !lies_under(change.key, kTools) ||
         !lies_under_one_of(key_of_entry(change.key, kTools), kPlaces);
}

}  // namespace

bool lies_under(std::string_view key, std::string_view section) {
  return key.starts_with(section) && (key.size() == section.size() || key[section.size()] == '.');
}

std::string in_words(const Difference& change) {
  const auto value = [](const std::string& text) { return text.empty() ? "absent" : text; };
  return fmt::format("{} was {} and is {}", change.key, value(change.before), value(change.after));
}

std::string fault_at_restart(const std::vector<Difference>& changes) {
  const auto unfit = std::ranges::find_if_not(changes, may_change);
  if (unfit == changes.end()) return {};
  return fmt::format(
      "is of another run: {}; at a restart materials, bodies, insertions, periodic, time.dt, "
      "time.max and the tools' shapes and materials and what joints hold stay as they were",
      in_words(*unfit));
}

const Difference* unfit_for_a_stage(const std::vector<Difference>& changes) {
  const auto unfit = std::ranges::find_if_not(changes, may_change_in_a_stage);
  return unfit == changes.end() ? nullptr : &*unfit;
}

}  // namespace scree
