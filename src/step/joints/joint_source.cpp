#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "joined_bodies.hpp"
#include "joint_keys.hpp"
#include "scree/base/check.hpp"
#include "scree/step/joints.hpp"

namespace scree {
namespace {

/// A body of a joint in the step at hand.
struct JoinedBody {
  std::int32_t slot = kWorldSlot;
  Pose start{};
  std::uint8_t held = kFixAll;   ///< FixedDof bits
  Vec6 velocity = Vec6::Zero();  ///< v* (step/joints.hpp)
  Pose predicted{};              ///< at the end, should the velocity stay
};

JoinedBody body_in(const SourceInput& in, std::int32_t slot) {
  JoinedBody body{.slot = slot};
  if (slot < 0) return body;
  const Store& bodies = in.bodies;
  body.start = pose_of(bodies, slot);
  if (!bodies.is_prescribed(slot)) body.held = bodies.fixed[slot];
  body.velocity << bodies.velocity[slot], bodies.angular_velocity[slot];
  body.predicted =
      moved(body.start, bodies.velocity[slot], bodies.angular_velocity[slot], in.clock.dt);
  return body;
}

JoinedBody shifted(JoinedBody body, const Vec3& shift) {
  body.start.position += shift;
  body.predicted.position += shift;
  return body;
}

/// Whether this rank gives the rows of a joint of the bodies in these slots.
bool gives(const SourceInput& in, const JointFrame& frame, std::int32_t a, std::int32_t b) {
  if (!is_grain(frame.a.body) && !is_grain(frame.b.body)) return in.partition.is_first();
  const std::int32_t grain = is_grain(frame.a.body) ? a : b;
  return grain >= 0 && in.bodies.is_owned(grain);
}

/// A row without what rounding left in it: along motions that are held for a body it would else be
/// all that moves, and ask for impulses without bound. @p length: of the joint, m
Vec6 without_rounding(Vec6 row, double length) {
  constexpr double kRounding = 1e-13;
  const double size = std::max(row.head<3>().lpNorm<Eigen::Infinity>(),
                               row.tail<3>().lpNorm<Eigen::Infinity>() / length);
  for (int k = 0; k < 6; ++k) {
    if (std::abs(row[k]) <= kRounding * size * (k < 3 ? 1.0 : length)) row[k] = 0.0;
  }
  return row;
}

/// A joint in the step at hand, and the rows of it as their source gives them.
class PlacedJoint {
 public:
  PlacedJoint(const JointFrame& frame, JoinedBody a, const JoinedBody& b, const SourceInput& in)
      : a_(std::move(a)),
        b_(shifted(b, shift_of_second(frame, a_.start, b.start, in.cell))),
        start_(ends_of(frame, a_.start, b_.start)),
        predicted_(ends_of(frame, a_.predicted, b_.predicted)),
        dt_(in.clock.dt) {}

  const JointEnds& start() const { return start_; }
  const JointEnds& predicted() const { return predicted_; }
  double dt() const { return dt_; }
  /// Whether impulses of @p row move a body.
  bool moves(const JointRow& row) const { return moves(a_, row.a) || moves(b_, row.b); }
  double rate(const JointRow& row) const { return row.rate(a_.velocity, b_.velocity); }

  /// The cone of @p rows of the start.
  template <class Cone>
  GivenCone<Cone> cone(std::int64_t key, const Cone& cone,
                       const JointRows<Cone::kDim>& rows) const {
    GivenCone<Cone> given{.key = key, .cone = cone, .entries = {}};
    add_entry<Cone>(given, a_.slot, rows, &JointRow::a);
    add_entry<Cone>(given, b_.slot, rows, &JointRow::b);
    return given;
  }

 private:
  bool moves(const JoinedBody& body, const Vec6& row) const {
    const Vec6 exact = without_rounding(row, start_.length);
    for (int k = 0; k < 6; ++k) {
      if (exact[k] != 0.0 && (body.held >> k & 1U) == 0) return true;
    }
    return false;
  }

  template <class Cone>
  void add_entry(GivenCone<Cone>& given, std::int32_t slot, const JointRows<Cone::kDim>& rows,
                 Vec6 JointRow::*side) const {
    if (slot == kWorldSlot) return;
    GivenEntry<Cone::kDim>& entry = given.entries.emplace_back();
    entry.slot = slot;
    for (int k = 0; k < Cone::kDim; ++k) {
      entry.block.row(k) = without_rounding(rows[k].*side, start_.length).transpose();
    }
  }

  JoinedBody a_;
  JoinedBody b_;
  JointEnds start_;
  JointEnds predicted_;
  double dt_;
};

/// The equations of what is held.
template <class Type>
void give_held(const PlacedJoint& joint, const Type& /*type*/, std::int64_t frame,
               GivenRows& rows) {
  const auto held = Type::rows(joint.start());
  constexpr int kRows = std::tuple_size_v<decltype(Type::rows(joint.start()))>;
  if constexpr (kRows > 0) {
    const JointRows<kRows> later = Type::rows(joint.predicted());
    auto given = joint.cone(key_of(frame, JointPart::held), cones::Free<kRows>{}, held);
    for (int k = 0; k < kRows; ++k) {
      // what nothing moves is as it is: no velocity would undo what rounding left there
      if (!joint.moves(held[k])) continue;
      given.bias[k] = later[k].value / joint.dt() - joint.rate(held[k]);
    }
    rows.append(given);
  }
}

/// A coordinate of a joint in the step at hand; places in its unit, rows in m.
struct CoordinateRows {
  CoordinateRows(const PlacedJoint& of, Coordinate which, double turn_before)
      : joint(of),
        coordinate(which),
        start(place_along(which, of.start(), turn_before)),
        predicted(place_along(which, of.predicted(), start.place).place) {}

  const JointRow& row() const { return start.row; }
  double per_unit() const { return start.per_unit; }
  double place() const { return start.place; }
  double velocity() const { return joint.rate(row()) / per_unit(); }

  const PlacedJoint& joint;
  Coordinate coordinate;
  CoordinatePlace start;
  double predicted;  ///< at the end, should the velocity stay
};

JointRow opposite(const JointRow& row) {
  return {.value = -row.value, .a = -row.a, .b = -row.b};
}

/// The way to a limit, m, less than 0 beyond it.
struct Room {
  double start;      ///< as the step begins
  double predicted;  ///< at its end, should the velocity stay
};

/// A limit that is further than any step goes is told as nearer: its velocity is a measure of the
/// problem. A joint beyond it comes back at the speed @p recovery, m/s, at most.
GivenCone<cones::HalfLine> limit(const PlacedJoint& joint, std::int64_t key, const JointRow& row,
                                 const Room& room, double recovery) {
  const double left_beyond = std::min(0.0, room.start + joint.dt() * recovery);
  auto given = joint.cone(key, cones::HalfLine{}, {row});
  given.bias[0] =
      std::min(room.predicted - left_beyond, joint.start().length) / joint.dt() - joint.rate(row);
  return given;
}

void give_limits(const CoordinateRows& at, const CoordinateSpec& spec, std::int64_t frame,
                 double recovery, GivenRows& rows) {
  if (spec.limits.empty()) return;
  const double l = at.per_unit();
  const Room below{l * (at.place() - spec.limits[0]), l * (at.predicted - spec.limits[0])};
  const Room above{l * (spec.limits[1] - at.place()), l * (spec.limits[1] - at.predicted)};
  rows.append(
      limit(at.joint, key_of(frame, JointPart::lowest, at.coordinate), at.row(), below, recovery));
  rows.append(limit(at.joint, key_of(frame, JointPart::highest, at.coordinate), opposite(at.row()),
                    above, recovery));
}

/// The cone of a swing. Its row is that of the predicted place: a step that takes the axis across
/// the cone's meets the side to which it comes.
void give_swing(const PlacedJoint& joint, double largest, std::int64_t frame, double recovery,
                GivenRows& rows) {
  if (!std::isfinite(largest)) return;
  const double most = joint.start().length * largest;
  const JointRow row = swung(joint.predicted());
  const Room room{most - swung(joint.start()).value, most - row.value};
  rows.append(limit(joint, key_of(frame, JointPart::swing), opposite(row), room, recovery));
}

void give_spring(const CoordinateRows& at, const CoordinateSpec& spec, std::int64_t frame,
                 GivenRows& rows) {
  if (!spec.has_spring()) return;
  const double dt = at.joint.dt();
  const double per_row = 1.0 / (at.per_unit() * at.per_unit());
  const double stiffness = per_row * spec.stiffness;
  const double resistance = dt * stiffness + per_row * spec.damping;
  const double x = at.per_unit() * (at.place() - spec.rest);
  auto given =
      at.joint.cone(key_of(frame, JointPart::spring, at.coordinate), cones::Equation{}, {at.row()});
  given.bias[0] = stiffness * x / resistance;
  given.compliance[0] = 1.0 / (dt * resistance);
  rows.append(given);
}

/// The size of the force by which @p joint holds its bodies together, N.
double size_of_force(const JointSpec& joint, const RowRecord& held) {
  const auto n_forces = std::visit([](const auto& type) { return type.kForces; }, joint.type);
  return Eigen::Map<const Eigen::VectorXd>(held.force.data(), n_forces).norm();
}

/// The force that presses a joint in the step at hand, by those of the two before
/// (step/joints.hpp), N: 0 in the first one.
double pressing_force(const SourceInput& in, const JointSpec& joint, std::int64_t frame) {
  const RowRecord* const held = find_record(in.memory, key_of(frame, JointPart::held));
  if (held == nullptr) return 0.0;
  const double last = size_of_force(joint, *held);
  const double lasting = std::min(last, held->state);
  return lasting + (last - lasting) * in.last_dt / in.clock.dt;
}

/// @p bound: the largest force or torque
void give_friction(const CoordinateRows& at, double bound, std::int64_t frame, GivenRows& rows) {
  if (bound == 0.0) return;
  const double most = bound * at.joint.dt() / at.per_unit();
  rows.append(at.joint.cone(key_of(frame, JointPart::friction, at.coordinate),
                            cones::Interval{-most, most}, {at.row()}));
}

/// The joint that the cone of @p key is of. @pre it is one of @p joints
const JointFrame& joint_of(std::int64_t key, std::span<const JointFrame> joints) {
  const auto joint = std::ranges::lower_bound(joints, frame_of(key), {}, &JointFrame::number);
  SCREE_ASSERT(joint != joints.end() && joint->number == frame_of(key));
  return *joint;
}

void give_motor(const CoordinateRows& at, const MotorSpec& motor, std::int64_t key, double time,
                GivenRows& rows) {
  const double dt = at.joint.dt();
  const MotorDemand demand = motor.demand({.motor = motor.name,
                                           .time = time,
                                           .dt = dt,
                                           .place = at.place(),
                                           .velocity = at.velocity(),
                                           .predicted = at.predicted});
  const auto give = [&](const auto& law) {
    auto given = at.joint.cone(key, law, {at.row()});
    given.bias[0] = -at.per_unit() * demand.velocity;
    rows.append(given);
  };
  const double per_force = dt / at.per_unit();
  if (demand.has_bounds()) {
    give(cones::Interval{per_force * demand.least, per_force * demand.most});
  } else {
    give(cones::Equation{});
  }
}

}  // namespace

std::optional<Coordinate> driven_by(const MotorSpec& motor, const JointSpec& joint) {
  const std::span<const Coordinate> free = joint.free();
  if (motor.along == MotorSpec::kAlong.front()) {
    return free.size() == 1 ? std::optional(free[0]) : std::nullopt;
  }
  const auto found = std::ranges::find_if(
      free, [&motor](Coordinate one) { return to_string(one) == motor.along; });
  return found == free.end() ? std::nullopt : std::optional(*found);
}

JointSource::JointSource(std::vector<JointSpec> joints, std::vector<MotorSpec> motors)
    : joints_(std::move(joints)), motors_(std::move(motors)), motors_of_(joints_.size()) {
  for (std::size_t m = 0; m < motors_.size(); ++m) {
    const auto joint = std::ranges::find(joints_, motors_[m].joint, &JointSpec::name);
    SCREE_ASSERT(joint != joints_.end());
    const std::optional<Coordinate> coordinate = driven_by(motors_[m], *joint);
    SCREE_ASSERT(coordinate.has_value());
    motors_of_[joint - joints_.begin()].push_back({m, *coordinate});
  }
}

void JointSource::give(const SourceInput& in, GivenRows& rows) const {
  const JoinedBodies joined(in.bodies, in.joints);
  for (const JointFrame& frame : in.joints) {
    const std::int32_t a = joined.slot_of(frame.a.body);
    const std::int32_t b = joined.slot_of(frame.b.body);
    if (!gives(in, frame, a, b)) continue;
    const JointSpec& spec = joints_[frame.spec];
    if (a == kUnknownSlot || b == kUnknownSlot) {
      throw Failure(
          fmt::format("joints.{}: the joined grains {} and {} are further apart than the "
                      "joint lets them be; a shorter time.dt holds them better",
                      spec.name, frame.a.body, frame.b.body));
    }
    const PlacedJoint joint(frame, body_in(in, a), body_in(in, b), in);
    std::visit([&](const auto& type) { give_held(joint, type, frame.number, rows); }, spec.type);
    give_swing(joint, spec.largest_swing(), frame.number, in.recovery_speed, rows);
    for (const Coordinate coordinate : spec.free()) {
      const CoordinateRows at(joint, coordinate, frame.turn);
      give_limits(at, spec.along(coordinate), frame.number, in.recovery_speed, rows);
      if (in.use == RowsFor::places) continue;
      give_spring(at, spec.along(coordinate), frame.number, rows);
      const JointFriction& friction = spec.along(coordinate).friction;
      give_friction(at, friction.bound(coordinate, pressing_force(in, spec, frame.number)),
                    frame.number, rows);
    }
    if (in.use == RowsFor::places) continue;
    for (const JointMotor& motor : motors_of_[frame.spec]) {
      give_motor(CoordinateRows(joint, motor.coordinate, frame.turn), motors_[motor.number],
                 key_of_motor(frame.number, motor.number, motor.coordinate), in.clock.time, rows);
    }
  }
}

std::string JointSource::name_of_cone(std::int64_t key, std::span<const JointFrame> joints) const {
  if (is_of_motor(key)) return fmt::format("motor {}", motors_[motor_of(key)].name);
  const JointFrame& joint = joint_of(key, joints);
  return fmt::format("joint {}", name_of(joints_[joint.spec], joint.link));
}

double JointSource::state_after(const RowResult& result, const RowRecord* before,
                                std::span<const JointFrame> joints) const {
  if (before == nullptr || !is_held(result.key)) return 0.0;
  return size_of_force(joints_[joint_of(result.key, joints).spec], *before);
}

}  // namespace scree
