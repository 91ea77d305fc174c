#include "starting_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/bodies/inertia.hpp"
#include "scree/joints/joint_spec.hpp"

namespace scree {
namespace {

/// The ids of two bodies to be joined.
using Link = std::pair<std::int64_t, std::int64_t>;

/// The ids of the grains of the group @p name, of all ranks, rising. Collective.
std::vector<std::int64_t> ids_of_group(MPI_Comm comm, const RunConfig& config, const Store& bodies,
                                       std::string_view name) {
  std::int32_t first = 0;
  std::int32_t count = 0;
  for (const BodyGroup& group : config.bodies) {
    count = static_cast<std::int32_t>(group.population_names().size());
    if (group.name == name) break;
    first += count;
  }
  std::vector<std::int64_t> mine;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    if (bodies.group[slot] >= first && bodies.group[slot] < first + count)
      mine.push_back(bodies.id[slot]);
  }
  std::vector<std::int64_t> ids = joined_over_ranks(comm, mine);
  std::ranges::sort(ids);
  return ids;
}

/// The id of the body that @p joint calls @p name. Collective.
std::int64_t id_of(MPI_Comm comm, const RunConfig& config, const Store& bodies,
                   const JointSpec& joint, const std::string& name) {
  if (name == kWorldName) return kWorldId;
  const auto tool = std::ranges::find(config.tools, name, &ToolSpec::name);
  if (tool != config.tools.end()) return kFirstToolId + (tool - config.tools.begin());
  const std::optional<GrainName> grain = grain_name(name);
  if (!grain) {
    throw InputError(fmt::format("joints.{}: \"{}\" names no body", joint.name, name));
  }
  const std::vector<std::int64_t> ids = ids_of_group(comm, config, bodies, grain->group);
  if (std::cmp_less(grain->index, ids.size())) return ids[grain->index];
  throw InputError(fmt::format("joints.{}: \"{}\" is no grain: the group has {}, counted from 0",
                               joint.name, name, ids.size()));
}

/// The pairs of bodies that @p joint joins. Collective.
std::vector<Link> links_of(MPI_Comm comm, const RunConfig& config, const Store& bodies,
                           const JointSpec& joint) {
  if (joint.chain.empty()) {
    const Link link{id_of(comm, config, bodies, joint, joint.between[0]),
                    id_of(comm, config, bodies, joint, joint.between[1])};
    if (link.first != link.second) return {link};
    throw InputError(fmt::format("joints.{}.between: {} and {} are one body", joint.name,
                                 joint.between[0], joint.between[1]));
  }
  const std::vector<std::int64_t> ids = ids_of_group(comm, config, bodies, joint.chain);
  if (ids.size() < 2) {
    throw InputError(fmt::format("joints.{}: a chain of {} grains; allowed: two or more",
                                 joint.name, ids.size()));
  }
  std::vector<Link> links;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) links.emplace_back(ids[i], ids[i + 1]);
  return links;
}

/// A body where a joint is placed on it. Means over three axes, along which it may be held.
struct StartingBody {
  Pose pose;
  double inverse_mass = 0.0;     ///< 1/kg
  double inverse_inertia = 0.0;  ///< 1/(kg m^2)
};

StartingBody body_in(const Store& bodies, std::int32_t slot) {
  const Vec3 masses = Vec3::Constant(bodies.mass[slot]);
  const Mat6 inverse = inverse_mass_of(bodies, slot, {masses, bodies.inertia[slot]});
  return {.pose = pose_of(bodies, slot),
          .inverse_mass = inverse.diagonal().head<3>().mean(),
          .inverse_inertia = inverse.diagonal().tail<3>().mean()};
}

/// The bodies of @p links by id. Collective.
std::map<std::int64_t, StartingBody> starting_bodies(MPI_Comm comm, const Store& bodies,
                                                     std::span<const Link> links) {
  std::map<std::int64_t, StartingBody> all{{kWorldId, {}}};
  for (const auto& [a, b] : links) {
    all[a];
    all[b];
  }
  constexpr std::size_t kNumbers = 9;
  std::vector<double> numbers(kNumbers * all.size(), 0.0);
  const auto put = [&](std::int32_t slot) {
    const auto found = all.find(bodies.id[slot]);
    if (found == all.end()) return;
    const StartingBody body = body_in(bodies, slot);
    Eigen::Vector<double, kNumbers>::Map(&numbers[kNumbers * std::distance(all.begin(), found)])
        << body.pose.position,
        body.pose.orientation.coeffs(), body.inverse_mass, body.inverse_inertia;
  };
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) put(slot);
  sum_over_ranks(comm, numbers);
  const double* number = numbers.data();
  for (auto& [id, body] : all) {
    if (id >= kFirstToolId) {
      body = body_in(bodies, static_cast<std::int32_t>(id - kFirstToolId));
    } else if (id != kWorldId) {
      body = {{Vec3(number), Quat(number + 3)}, number[7], number[8]};
    }
    number += kNumbers;
  }
  return all;
}

/// The length by which rows of angles weigh as much as those of places.
double length_between(const StartingBody& a, const StartingBody& b) {
  const double inertia = a.inverse_inertia + b.inverse_inertia;
  const double mass = a.inverse_mass + b.inverse_mass;
  return inertia > 0.0 && mass > 0.0 ? std::sqrt(mass / inertia) : 1.0;
}

bool is_grain(std::int64_t id) {
  return id >= 0 && id < kFirstToolId;
}

/// Shifts @p pose of the body @p id to that of its images which is nearest to @p point; tools and
/// the world stay.
void bring_near(std::int64_t id, const Vec3& point, const PeriodicCell& cell, Pose& pose) {
  if (is_grain(id)) pose.position += cell.shift_to_shortest(pose.position - point);
}

JointFrame frame_of(const JointSpec& joint, const Link& link, StartingBody a, StartingBody b,
                    const PeriodicCell& cell) {
  bring_near(link.second, a.pose.position, cell, b.pose);
  bring_near(link.first, b.pose.position, cell, a.pose);
  const JointPlace place = place_of(joint, a.pose.position, b.pose.position);
  bring_near(link.first, place.point_a, cell, a.pose);
  bring_near(link.second, place.point_b, cell, b.pose);
  const double length = length_between(a, b);
  const double distance = (place.point_a - place.point_b).norm();
  return {.contact = joint.contact,
          .a = anchor_at(link.first, a.pose, place.point_a, place.axes),
          .b = anchor_at(link.second, b.pose, place.point_b, place.axes),
          .length = length,
          .distance = distance};
}

void refuse_long_joint(const JointSpec& joint, const JointFrame& frame, const PeriodicCell& cell) {
  if (!is_grain(frame.a.body) && !is_grain(frame.b.body)) return;
  const double reach = reach_of(joint, frame);
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis) || 2.0 * reach < cell.period[axis]) continue;
    throw InputError(fmt::format(
        "joints.{}: its two points may be {} m apart, half the period of {} m or more: it could "
        "not be told from its images; allowed: closer `limits` or points, or a longer periodic.{}",
        joint.name, reach, cell.period[axis], "xyz"[axis]));
  }
}

/// Whether a joint holds, or acts along, the line between two points.
bool needs_distance(const JointSpec& joint) {
  return std::holds_alternative<DistanceJoint>(joint.type) ||
         std::holds_alternative<StrutJoint>(joint.type);
}

}  // namespace

std::vector<JointFrame> starting_joints(MPI_Comm comm, const RunConfig& config,
                                        const Store& bodies) {
  const PeriodicCell cell = config.periodic.cell();
  std::vector<JointFrame> joints;
  for (std::size_t spec = 0; spec < config.joints.size(); ++spec) {
    const JointSpec& joint = config.joints[spec];
    const std::vector<Link> links = links_of(comm, config, bodies, joint);
    const auto all = starting_bodies(comm, bodies, links);
    for (std::size_t i = 0; i < links.size(); ++i) {
      JointFrame frame =
          frame_of(joint, links[i], all.at(links[i].first), all.at(links[i].second), cell);
      frame.number = std::ssize(joints);
      frame.spec = static_cast<std::int64_t>(spec);
      frame.link = static_cast<std::int64_t>(i);
      if (needs_distance(joint) && !(frame.distance > 0.0)) {
        throw InputError(
            fmt::format("joints.{}: its two points are one, which has no direction to "
                        "the other; allowed: two points, or a ball joint",
                        joint.name));
      }
      joints.push_back(frame);
    }
  }
  return joints;
}

void refuse_long_joints(const RunConfig& config, std::span<const JointFrame> joints) {
  const PeriodicCell cell = config.periodic.cell();
  for (const JointFrame& frame : joints) {
    refuse_long_joint(config.joints[static_cast<std::size_t>(frame.spec)], frame, cell);
  }
}

}  // namespace scree
