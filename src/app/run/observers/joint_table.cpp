#include "joint_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/io/run_folder/whole_file.hpp"
#include "tables.hpp"

namespace scree {
namespace {

std::vector<Column<JointRecord>> all_joint_columns() {
  using Row = JointRecord;
  return {
      {"time", "s", "simulated time at the end of the step",
       [](const Row& r) { return csv_text(r.time); }},
      {"step", "1", "number of the step, from 1", [](const Row& r) { return csv_text(r.step); }},
      {"dt", "s", "length of the step, or of the part where it was cut",
       [](const Row& r) { return csv_text(r.dt); }},
      {"joint", "", "name of the joint; of a chain NAME[I], I counted from 0",
       [](const Row& r) { return r.joint; }},
      {"force_x", "N",
       "force of the joint on its first body, with springs, friction and motors: impulse of the "
       "step "
       "over dt, world frame",
       [](const Row& r) { return csv_text(r.force.force.x()); }},
      {"force_y", "N", "", [](const Row& r) { return csv_text(r.force.force.y()); }},
      {"force_z", "N", "", [](const Row& r) { return csv_text(r.force.force.z()); }},
      {"torque_x", "N m", "torque on its first body about the joint's point, world frame",
       [](const Row& r) { return csv_text(r.force.torque.x()); }},
      {"torque_y", "N m", "", [](const Row& r) { return csv_text(r.force.torque.y()); }},
      {"torque_z", "N m", "", [](const Row& r) { return csv_text(r.force.torque.z()); }},
      {"motor", "N", "force of its motors along the axis; N m of a turn",
       [](const Row& r) { return csv_text(r.force.motor); }},
      {"slide", "m", "way along the axis, or stretch; 0 of a joint that has none",
       [](const Row& r) { return csv_text(r.slide); }},
      {"turn", "rad", "angle about the axis; 0 of a joint that has none",
       [](const Row& r) { return csv_text(r.turn); }},
      {"swing", "rad", "angle between the axes of the bodies of a ball; 0 of another joint",
       [](const Row& r) { return csv_text(r.swing); }},
      {"misfit", "m", "by how much it is not held: the largest of its equations",
       [](const Row& r) { return csv_text(r.misfit); }},
  };
}

std::span<const Column<JointRecord>> joint_columns() {
  static const std::vector<Column<JointRecord>> columns = all_joint_columns();
  return columns;
}

std::filesystem::path joints_in(const RunFolder& folder) {
  return folder.root() / "joints.csv";
}

JointRecord record_of(const StepClock& clock, const JointSpec& spec, const JointFrame& joint,
                      const JointForce& force, const JointEnds& ends) {
  JointRecord record{.time = clock.end,
                     .step = clock.step,
                     .dt = clock.dt,
                     .joint = name_of(spec, joint.link),
                     .force = force,
                     .misfit = misfit_of(spec, ends)};
  for (const Coordinate coordinate : spec.free()) {
    const double place = place_along(coordinate, ends, joint.turn).place;
    (coordinate == Coordinate::turn ? record.turn : record.slide) = place;
  }
  if (std::holds_alternative<BallJoint>(spec.type)) record.swing = swung(ends).value / ends.length;
  return record;
}

/// One a joint that is left. Collective.
std::vector<JointRecord> joint_records(const ObservedRun& run, const StepResult& result) {
  const std::vector<JointFrame>& joints = run.simulation.state().joints;
  const std::vector<JointEnds> ends =
      joint_ends(run.comm(), joints, {run.simulation.store(), run.simulation.setup().cell});
  std::vector<JointRecord> records;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto force =
        std::ranges::lower_bound(result.joint_forces, joints[i].number, {}, &JointForce::number);
    records.push_back(
        record_of(result.clock, run.config().joints[joints[i].spec], joints[i], *force, ends[i]));
  }
  return records;
}

}  // namespace

void JointTable::add_files(const RunFolder& folder, RunFiles& files) {
  files.single.push_back(joints_in(folder));
}

void JointTable::check_files(const RunFolder& folder, const RunConfig& /*config*/,
                             const RunPoint& point) {
  static_cast<void>(kept_of_table(joints_in(folder), csv_header(joint_columns()), point));
}

std::vector<TableHelp> JointTable::tables() {
  return {table_help("joints.csv", "table of forces in joints", joint_columns())};
}

/// @pre on the rank that speaks
void JointTable::open(bool append) {
  if (is_due()) table_ = CsvWriter<JointRecord>(joints_in(run_.folder), joint_columns(), append);
}

void JointTable::start() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) open(false);
  });
}

void JointTable::go_on() {
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    go_on_with_table(run_, joints_in(run_.folder), csv_header(joint_columns()),
                     std::ssize(run_.simulation.state().joints), "joints");
    open(true);
  });
}

void JointTable::after_part(const ObservedStep& part) {
  if (!is_due() || !has_rows(run_, part)) return;
  const std::vector<JointRecord> records = joint_records(run_, part.result);
  together(run_.comm(), [&] {
    if (!run_.is_speaker()) return;
    for (const JointRecord& record : records) table_.write(record);
  });
}

void JointTable::to_disk() {
  together(run_.comm(), [this] { table_.flush_to_disk(); });
}

}  // namespace scree
