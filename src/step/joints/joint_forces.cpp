#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "joined_bodies.hpp"
#include "joint_keys.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/petsc.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/joints.hpp"
#include "step/given_impulses.hpp"
#include "step/sourced_rows.hpp"

namespace scree {
namespace {

/// Sums of a joint: impulse and its moment about the centre of the body that it is on, impulse of
/// motors, how often the joint's equations were given.
constexpr std::size_t kSumsOfJoint = 8;
using JointSums = Eigen::Vector<double, kSumsOfJoint>;

/// The sums of each joint over the cones that this rank gave, of the first body of each.
std::vector<double> sums_of_cones(std::span<const JointFrame> joints, const SolvedContacts& step,
                                  std::size_t source) {
  std::vector<double> sums(kSumsOfJoint * joints.size(), 0.0);
  const SourcedRows& sourced = step.sourced;
  const GivenRows& given = sourced.rows;
  const petsc::ConstView lambda(step.impact.impulse.get());
  const std::span<const double> own = span_of_sources(sourced, lambda.span());
  const std::size_t first = source == 0 ? 0 : sourced.end[source - 1];
  for_each_given_impulse(given, own, [&](std::int32_t slot, const Vec6& impulse, std::size_t cone) {
    const bool is_of_joints = cone >= first && cone < sourced.end[source];
    if (!is_of_joints || slot != given.slot[given.first[cone]]) return;
    const std::int64_t key = given.key[cone];
    const auto joint =
        std::ranges::lower_bound(joints, frame_of(key), {}, &JointFrame::number) - joints.begin();
    Eigen::Map<JointSums> sum(&sums[kSumsOfJoint * joint]);
    sum.head<6>() += impulse;
    if (is_held(key)) sum[7] += 1.0;
    if (!is_of_motor(key)) return;
    const bool turns = coordinate_of_motor(key) == Coordinate::turn;
    sum[6] += (turns ? joints[joint].length : 1.0) * own[given.cones.row(cone)];
  });
  return sums;
}

void refuse_not_given_once(const JointSpec& spec, double times) {
  const bool holds =
      std::visit([](const auto& type) { return !type.rows(JointEnds{}).empty(); }, spec.type);
  if (!holds || times == 1.0) return;
  throw Failure(
      fmt::format("joints.{}: was solved on {} ranks, not on one: its bodies are further "
                  "apart than it lets them be; a shorter time.dt holds them better",
                  spec.name, times));
}

/// Seven numbers of a pose: its place, then its orientation.
using PoseNumbers = Eigen::Vector<double, 7>;

}  // namespace

std::vector<JointEnds> joint_ends(MPI_Comm comm, std::span<const JointFrame> joints,
                                  const PlacedBodies& placed) {
  constexpr std::size_t kNumbers = 14;
  const Store& bodies = placed.bodies;
  const JoinedBodies joined(bodies, joints);
  std::vector<double> numbers(kNumbers * joints.size(), 0.0);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    double* place = &numbers[kNumbers * i];
    for (const JointAnchor* anchor : {&joints[i].a, &joints[i].b}) {
      const std::int32_t slot = joined.slot_of(anchor->body);
      if (is_grain(anchor->body) && slot >= 0 && bodies.is_owned(slot)) {
        PoseNumbers::Map(place) << bodies.position[slot], bodies.orientation[slot].coeffs();
      }
      place += 7;
    }
  }
  sum_over_ranks(comm, numbers);
  std::vector<JointEnds> ends;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    std::array<Pose, 2> poses;
    for (const std::size_t k : {0, 1}) {
      const JointAnchor& anchor = k == 0 ? joints[i].a : joints[i].b;
      const double* place = &numbers[kNumbers * i + 7 * k];
      poses[k] = is_grain(anchor.body) ? Pose{Vec3(place), Quat(place + 3)}
                                       : pose_in(bodies, joined.slot_of(anchor.body));
    }
    poses[1].position += shift_of_second(joints[i], poses[0], poses[1], placed.cell);
    ends.push_back(ends_of(joints[i], poses[0], poses[1]));
  }
  return ends;
}

std::vector<JointForce> joint_forces(MPI_Comm comm, std::span<JointFrame> joints,
                                     std::span<const JointSpec> specs, const PlacedBodies& placed,
                                     const SolvedContacts& step, std::size_t source, double dt) {
  std::vector<double> sums = sums_of_cones(joints, step, source);
  sum_over_ranks(comm, sums);
  const std::vector<JointEnds> ends = joint_ends(comm, joints, placed);
  std::vector<JointForce> forces;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    JointFrame& joint = joints[i];
    const Eigen::Map<const JointSums> sum(&sums[kSumsOfJoint * i]);
    refuse_not_given_once(specs[joint.spec], sum[7]);
    joint.turn = place_along(Coordinate::turn, ends[i], joint.turn).place;
    // the first body of a cone is the joint's first, or its second where that is the world
    const bool is_second = joint.a.body == kWorldId;
    const JointEnd& end = is_second ? ends[i].b : ends[i].a;
    const double sign = (is_second ? -1.0 : 1.0) / dt;
    JointForce& force = forces.emplace_back(JointForce{.number = joint.number});
    force.force = sign * sum.head<3>();
    force.torque = sign * sum.segment<3>(3) - (ends[i].a.point - end.centre).cross(force.force);
    force.motor = sum[6] / dt;
  }
  return forces;
}

}  // namespace scree
