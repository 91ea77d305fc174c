#include "joint_state.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace scree {
namespace {

constexpr std::string_view kJoints = "joints";

}  // namespace

std::optional<StateGroup> group_of_joints(std::span<const JointFrame> joints) {
  if (joints.empty()) return std::nullopt;
  std::vector<std::int64_t> place;
  std::vector<std::int64_t> bodies;
  std::vector<double> points;
  std::vector<double> axes;
  std::vector<double> lengths;
  for (const JointFrame& joint : joints) {
    place.insert(place.end(), {joint.number, joint.spec, joint.link, joint.contact ? 1 : 0});
    bodies.insert(bodies.end(), {joint.a.body, joint.b.body});
    for (const JointAnchor* anchor : {&joint.a, &joint.b}) {
      points.insert(points.end(), anchor->point.begin(), anchor->point.end());
      const Quat& q = anchor->axes;
      axes.insert(axes.end(), {q.w(), q.x(), q.y(), q.z()});
    }
    lengths.insert(lengths.end(), {joint.length, joint.distance, joint.turn});
  }
  return StateGroup{.name = std::string(kJoints),
                    .common = true,
                    .arrays = {{"number_spec_link_contact", "1", 4, std::move(place)},
                               {"bodies", "1", 2, std::move(bodies)},
                               {"points", "m", 6, std::move(points)},
                               {"axes", "1", 8, std::move(axes)},
                               {"length_distance_turn", "m", 3, std::move(lengths)}}};
}

std::vector<JointFrame> joints_of(std::span<const StateGroup> groups) {
  const auto group = std::ranges::find(groups, kJoints, &StateGroup::name);
  if (group == groups.end()) return {};
  const auto& place = numbers_of<std::int64_t>(group->arrays, "number_spec_link_contact", 4);
  const auto& bodies = numbers_of<std::int64_t>(group->arrays, "bodies", 2);
  const auto& points = numbers_of<double>(group->arrays, "points", 6);
  const auto& axes = numbers_of<double>(group->arrays, "axes", 8);
  const auto& lengths = numbers_of<double>(group->arrays, "length_distance_turn", 3);
  const auto anchor = [&](std::size_t end) {
    const double* q = &axes[4 * end];
    return JointAnchor{bodies[end], Vec3(&points[3 * end]), Quat(q[0], q[1], q[2], q[3])};
  };
  std::vector<JointFrame> joints(bodies.size() / 2);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::int64_t* at = &place[4 * i];
    const double* length = &lengths[3 * i];
    joints[i] = {.number = at[0],
                 .spec = at[1],
                 .link = at[2],
                 .contact = at[3] != 0,
                 .a = anchor(2 * i),
                 .b = anchor(2 * i + 1),
                 .length = length[0],
                 .distance = length[1],
                 .turn = length[2]};
  }
  return joints;
}

}  // namespace scree
