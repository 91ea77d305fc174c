#pragma once

/// The bodies of joints as a rank knows them.

#include <cstdint>
#include <span>
#include <unordered_map>

#include "scree/bodies/store.hpp"
#include "scree/joints/joint_frame.hpp"

namespace scree {

/// The slot of what does not move.
inline constexpr std::int32_t kWorldSlot = -1;
/// The slot of a grain that this rank does not know.
inline constexpr std::int32_t kUnknownSlot = -2;

/// Finds slots by the ids of joined bodies. Not collective.
class JoinedBodies {
 public:
  JoinedBodies(const Store& bodies, std::span<const JointFrame> joints);

  std::int32_t slot_of(std::int64_t id) const;

 private:
  std::unordered_map<std::int64_t, std::int32_t> grains_;  ///< kUnknownSlot of one not known
};

inline bool is_grain(std::int64_t id) {
  return id >= 0 && id < kFirstToolId;
}

/// The way, m, by which the second body of @p joint is to be shifted while its bodies stand at @p a
/// and @p b: to that of its images whose point is nearest to the first's.
Vec3 shift_of_second(const JointFrame& joint, const Pose& a, const Pose& b,
                     const PeriodicCell& cell);

inline Pose pose_in(const Store& bodies, std::int32_t slot) {
  return slot < 0 ? Pose{} : pose_of(bodies, slot);
}

}  // namespace scree
