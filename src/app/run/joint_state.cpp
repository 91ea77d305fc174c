#include "joint_state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "record_rows.hpp"

namespace scree {
namespace {

constexpr std::string_view kJoints = "joints";

void put_place(const JointFrame& joint, std::int64_t* to) {
  to[0] = joint.number;
  to[1] = joint.spec;
  to[2] = joint.link;
  to[3] = joint.contact ? 1 : 0;
}

double* put_axes(const JointAnchor& anchor, double* to) {
  const Quat& q = anchor.axes;
  return put(std::array{q.w(), q.x(), q.y(), q.z()}, to);
}

}  // namespace

std::optional<StateRows> rows_of_joints(std::span<const JointFrame> joints) {
  if (joints.empty()) return std::nullopt;
  const auto reals = [&](const char* name, const char* unit, int width, auto write) {
    return rows_of_records<double>(name, unit, width, joints, write);
  };
  return StateRows{
      .name = std::string(kJoints),
      .common = true,
      .arrays = {
          rows_of_records<std::int64_t>("number_spec_link_contact", "1", 4, joints, put_place),
          rows_of_records<std::int64_t>("bodies", "1", 2, joints,
                                        [](const JointFrame& joint, std::int64_t* to) {
                                          to[0] = joint.a.body;
                                          to[1] = joint.b.body;
                                        }),
          reals("points", "m", 6,
                [](const JointFrame& joint, double* to) {
                  put(joint.b.point, put(joint.a.point, to));
                }),
          reals("axes", "1", 8,
                [](const JointFrame& joint, double* to) {
                  put_axes(joint.b, put_axes(joint.a, to));
                }),
          reals("length_distance_turn", "m", 3, [](const JointFrame& joint, double* to) {
            put(std::array{joint.length, joint.distance, joint.turn}, to);
          })}};
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
