#include "joined_bodies.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/step/joints.hpp"

namespace scree {

JoinedBodies::JoinedBodies(const Store& bodies, std::span<const JointFrame> joints) {
  for (const JointFrame& joint : joints) {
    for (const JointAnchor* anchor : {&joint.a, &joint.b}) {
      if (is_grain(anchor->body)) grains_.try_emplace(anchor->body, kUnknownSlot);
    }
  }
  if (grains_.empty()) return;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.size(); ++slot) {
    const auto found = grains_.find(bodies.id[slot]);
    if (found != grains_.end() && found->second == kUnknownSlot) found->second = slot;
  }
}

std::int32_t JoinedBodies::slot_of(std::int64_t id) const {
  if (id == kWorldId) return kWorldSlot;
  if (!is_grain(id)) return static_cast<std::int32_t>(id - kFirstToolId);
  const auto found = grains_.find(id);
  return found == grains_.end() ? kUnknownSlot : found->second;
}

Vec3 shift_of_second(const JointFrame& joint, const Pose& a, const Pose& b,
                     const PeriodicCell& cell) {
  if (!is_grain(joint.a.body) && !is_grain(joint.b.body)) return Vec3::Zero();
  return cell.shift_to_shortest(b.to_world(joint.b.point) - a.to_world(joint.a.point));
}

void cover_joints(std::span<const JointFrame> joints, std::span<const JointSpec> specs,
                  Store& bodies) {
  constexpr double kDrift = 0.1;  // of the length, which steps that are not solved may leave
  const JoinedBodies joined(bodies, joints);
  for (const JointFrame& joint : joints) {
    if (!is_grain(joint.a.body) || !is_grain(joint.b.body)) continue;
    const std::int32_t slot = joined.slot_of(joint.b.body);
    if (slot < 0 || !bodies.is_owned(slot)) continue;
    const Vec3 point = pose_of(bodies, slot).to_world(joint.b.point);
    const Vec3 reach = Vec3::Constant(reach_of(specs[joint.spec], joint) + kDrift * joint.length +
                                      joint.a.point.norm());
    Box3& box = bodies.box[slot];
    box = {box.low.cwiseMin(point - reach), box.high.cwiseMax(point + reach)};
  }
}

void drop_joined(std::span<const JointFrame> joints, const Store& bodies, const PeriodicCell& cell,
                 std::vector<Pair>& pairs) {
  using Ids = std::pair<std::int64_t, std::int64_t>;
  std::multimap<Ids, const JointFrame*> apart;
  for (const JointFrame& joint : joints) {
    if (!joint.contact) apart.emplace(std::minmax(joint.a.body, joint.b.body), &joint);
  }
  if (apart.empty()) return;
  const auto joins = [&](const JointFrame& joint, std::int32_t a, std::int32_t b) {
    if (bodies.id[a] != joint.a.body) std::swap(a, b);
    if (bodies.is_tool(a) || bodies.is_tool(b)) return true;
    return shift_of_second(joint, pose_of(bodies, a), pose_of(bodies, b), cell).isZero(0.0);
  };
  std::erase_if(pairs, [&](const Pair& pair) {
    const auto [first, end] = apart.equal_range(std::minmax(bodies.id[pair.a], bodies.id[pair.b]));
    return std::any_of(first, end,
                       [&](const auto& one) { return joins(*one.second, pair.a, pair.b); });
  });
}

void drop_of_removed(MPI_Comm comm, const Store& bodies, const std::vector<bool>& stays,
                     std::vector<JointFrame>& joints) {
  if (joints.empty()) return;
  std::vector<std::uint8_t> goes(joints.size(), 0);
  const JoinedBodies joined(bodies, joints);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    for (const JointAnchor* anchor : {&joints[i].a, &joints[i].b}) {
      const std::int32_t slot = joined.slot_of(anchor->body);
      if (slot < 0 || !bodies.is_owned(slot)) continue;
      if (!stays[slot - bodies.first_owned()]) goes[i] = 1;
    }
  }
  or_over_ranks(comm, goes);
  std::size_t i = 0;
  std::erase_if(joints, [&](const JointFrame& /*joint*/) { return goes[i++] != 0; });
}

}  // namespace scree
