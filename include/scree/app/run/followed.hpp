#pragma once

/// Grains that are followed (`output.follow`): who they are, and the rows of followed.csv that tell
/// of them.

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "scree/io/tables/columns.hpp"

namespace scree {

struct RunConfig;

/// The key `output.follow`: ids, and names of groups, populations and insertions.
struct FollowOptions {
  std::vector<std::string> follow;
};

/// The grains that are followed, whether there are any yet or not.
struct FollowedGrains {
  std::set<std::int64_t> ids;
  std::set<std::int32_t> populations;  ///< as RunConfig::population_names counts them

  bool empty() const { return ids.empty() && populations.empty(); }
  bool has(std::int64_t id, std::int32_t population) const {
    return ids.contains(id) || populations.contains(population);
  }
};

/// Whether @p entry of `output.follow` is an id; else it is a name.
bool is_grain_id(std::string_view entry);

/// Those that `output.follow` of @p config names; names of nothing are passed over.
FollowedGrains followed_grains(const RunConfig& config);

/// Why @p entry of `output.follow` names no grains; empty where it does, and for an id, of which
/// only a run can tell whether there is one.
std::string fault_of_follow(std::string_view entry, const RunConfig& config);

/// One row of followed.csv: a grain at the end of a step, or of a part of one that was cut.
struct FollowedRecord {
  double time = 0.0;  ///< at the end of the step, s
  std::int64_t step = 0;
  double dt = 0.0;  ///< s
  std::int64_t grain = 0;
  std::string group;
  Vec3 position = Vec3::Zero();          ///< as if space did not repeat, m
  Vec3 velocity = Vec3::Zero();          ///< m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< world frame, rad/s
  Vec3 force = Vec3::Zero();             ///< of contacts and other rows over the step, N
  Vec3 torque = Vec3::Zero();            ///< about its centre, N m
  std::int64_t contacts = 0;             ///< loaded ones
};

std::span<const Column<FollowedRecord>> followed_columns();

/// The path of followed.csv.
std::filesystem::path followed_table(const RunFolder& folder);

}  // namespace scree
