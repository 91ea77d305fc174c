#include "scree/tools/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/config/csv.hpp"
#include "scree/config/declaration.hpp"

namespace scree {

void VelocityMotion::declare(Declaration& d) {
  d.vector("velocity", velocity, {.help = "velocity of its centre of turning", .unit = "m/s"});
  d.vector("angular_velocity", angular_velocity,
           {.help = "angular velocity, world frame", .unit = "rad/s"});
  d.real("start", start,
         {.help = "time at which the motion begins: of the run, or since a stage or an event has "
                  "begun it",
          .unit = "s"});
  d.real("stop", stop, {.help = "time at which it ends, likewise", .unit = "s"});
  events.declare(d);
  d.vector("centre", centre,
           {.help = "the point about which it turns, from its position", .unit = "m"});
  d.require("stop", stop >= start, "is earlier than start");
}

Pose VelocityMotion::pose_at(double t, const Pose& placed) const {
  const double moving = std::clamp(t, start, stop) - start;
  const Quat turn = rotation_by(moving * angular_velocity);
  const Vec3 centre_now = placed.position + centre + moving * velocity;
  return {centre_now - turn * centre, (turn * placed.orientation).normalized()};
}

void TableMotion::declare(Declaration& d) {
  d.path("file", file, {.help = "CSV file with the columns t,x,y,z or t,x,y,z,rx,ry,rz"});
  d.reals("times", times, {.help = "times of the entries, increasing", .unit = "s"});
  d.vectors("displacements", displacements,
            {.help = "at these times, from the position as placed", .unit = "m"});
  d.vectors(
      "rotations", rotations,
      {.help = "rotation vectors at these times, from the orientation as placed", .unit = "rad"});
  events.declare(d);
  d.require("file", !file.empty() || !times.empty(), "is missing; give a file, or times");
  d.require("file", file.empty() || times.empty(), "give either a file or times, not both");
  d.require("displacements", displacements.size() == times.size(), "needs one entry for each time");
  d.require("rotations", rotations.empty() || rotations.size() == times.size(),
            "needs one entry for each time, or none at all");
  d.require("times",
            std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end(),
            "must increase from entry to entry");
}

void TableMotion::load() {
  if (file.empty()) return;
  constexpr std::array<CsvColumn, 7> kColumns{{{"t", true},
                                               {"x", true},
                                               {"y", true},
                                               {"z", true},
                                               {"rx", false},
                                               {"ry", false},
                                               {"rz", false}}};
  times.clear();
  displacements.clear();
  rotations.clear();
  std::int64_t last_line = 1;
  const std::vector<bool> present = read_csv(file, kColumns, [&](const CsvRow& row) {
    last_line = row.line;
    if (!times.empty() && row.values[0] <= times.back()) {
      refuse_csv_row(file, row.line, "t: the times must increase from row to row");
    }
    times.push_back(row.values[0]);
    displacements.emplace_back(row.values[1], row.values[2], row.values[3]);
    rotations.emplace_back(row.values[4], row.values[5], row.values[6]);
  });
  if (times.empty()) refuse_csv_row(file, last_line, "there are no rows");
  const auto given = std::count(present.begin() + 4, present.end(), true);
  if (given == 0) {
    rotations.clear();
  } else if (given != 3) {
    refuse_csv_row(file, 1, "of the columns rx, ry, rz give all or none");
  }
}

Pose TableMotion::pose_at(double t, const Pose& placed) const {
  if (times.empty()) throw Failure("a motion by table has no entries: its file was not read");
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  const std::size_t next = after - times.begin();
  const std::size_t i = next == 0 ? 0 : next - 1;         // entry at or before t
  const std::size_t j = next == times.size() ? i : next;  // entry after t
  const double part = i == j ? 0.0 : (t - times[i]) / (times[j] - times[i]);
  Pose pose = placed;
  pose.position += displacements[i] + part * (displacements[j] - displacements[i]);
  if (!rotations.empty()) {
    const Vec3 turned = rotations[i] + part * (rotations[j] - rotations[i]);
    pose.orientation = (rotation_by(turned) * placed.orientation).normalized();
  }
  return pose;
}

void OscillationMotion::declare(Declaration& d) {
  d.real("amplitude", amplitude,
         {.help = "farthest way from its place", .unit = "m", .above = 0.0, .required = true});
  d.vector("direction", direction, {.help = "along which it swings"});
  d.real("frequency", frequency,
         {.help = "swings to and fro per second", .unit = "Hz", .above = 0.0, .required = true});
  d.real("phase", phase, {.help = "of the sine at the start", .unit = "rad"});
  d.real("start", start,
         {.help = "time at which the motion begins: of the run, or since a stage or an event has "
                  "begun it",
          .unit = "s"});
  d.real("stop", stop, {.help = "time at which it ends, likewise", .unit = "s"});
  events.declare(d);
  d.require("direction", direction.norm() > 0.0, "has no direction");
  d.require("stop", stop >= start, "is earlier than start");
}

Pose OscillationMotion::pose_at(double t, const Pose& placed) const {
  const double moving = std::clamp(t, start, stop) - start;
  const double angle = 2.0 * std::numbers::pi * frequency * moving + phase;
  return {placed.position + amplitude * std::sin(angle) * direction.normalized(),
          placed.orientation};
}

Pose pose_at(const Motion& motion, double t, const Pose& placed) {
  return std::visit([&](const auto& m) { return m.pose_at(t, placed); }, motion);
}

const MotionEvents* events_of(const Motion& motion) {
  return std::visit(
      [](const auto& m) -> const MotionEvents* {
        if constexpr (requires { m.events; }) return &m.events;
        return nullptr;
      },
      motion);
}

MotionSpan span_of(const Motion& motion, double given, std::optional<Pose> from) {
  const MotionEvents* const events = events_of(motion);
  const bool waits = events != nullptr && events->start_when;
  return {.given = given, .start = waits ? MotionSpan::kWaits : given, .from = std::move(from)};
}

Velocities velocities_between(const Pose& from, const Pose& to, double dt) {
  return {(to.position - from.position) / dt,
          rotation_vector(to.orientation * from.orientation.conjugate()) / dt};
}

}  // namespace scree
