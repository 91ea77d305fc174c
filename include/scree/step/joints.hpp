#pragma once

/// Joints and motors (joints/joint_spec.hpp) in a step: a source of rows, and what its forces are.
///
/// Rows of the first body less the second, of which C is the value (joints/joint_rows.hpp), J its
/// derivative and v* the velocities at the start of the step:
///
/// | part             | cone       | bias                          | R                    |
/// | ---              | ---        | ---                           | ---                  |
/// | what is held     | equations  | C(q + dt v*)/dt - J v*        | 0                    |
/// | a limit, a cone  | half line  | the same of the room left     | 0                    |
/// | spring, damper   | equation   | k x / (dt k + c)              | 1/(dt (dt k + c))    |
/// | dry friction     | interval   | 0                             | 0                    |
/// | a motor          | interval   | less the velocity it asks for | 0                    |
/// | without a bound  | equation   | the same                      | 0                    |
///
/// A limit that a joint is beyond, as a change of it may leave it, is come back to at the speed at
/// which overlaps are undone (contact.recovery_speed), by the rows' measure of m/s.
///
/// Friction by a coefficient is bounded by the force F_1 that held the joint in the step before, of
/// dt_1, which the memory of rows has: the bounds of a step are constants, and its cones convex.
/// Parts of a step that is cut differ in length, and an impact in one is an impulse, no force that
/// lasts: what F_1 was above the force F_2 of the step before that acts once more as long as it
/// did, the rest as long as the step,
///
///     bound of the impulse = mu (min(F_1, F_2) dt + max(F_1 - F_2, 0) dt_1),   mu F_1 dt where dt_1 = dt
///
/// So a step ends on C = 0 to third order in dt, since C there is C(q + dt v*) + dt J (v+ - v*) but
/// for terms of dt^3: what one step leaves the next undoes, and nothing drifts. J is that of the
/// step's start (the method is SHAKE's with one step of Newton's). Springs and dampers are
/// implicit.
/// Reference: Ryckaert, Ciccotti, Berendsen, Numerical integration of the cartesian equations of
/// motion of a system with constraints, J. Comput. Phys. 23 (1977).
///
/// Who gives a joint: the first rank where no grain is joined, and else the owner of its first
/// grain. The boxes of grains that are joined as second ones hold the centres of the first
/// (cover_joints()), so that this rank knows both, however far they are.
///
/// Where space repeats, a joint of a grain is between the two images of its bodies whose points are
/// nearest to each other: what it holds, or lets be, is less than half a period.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scree/contact/contact.hpp"
#include "scree/joints/joint_frame.hpp"
#include "scree/joints/joint_spec.hpp"
#include "scree/joints/motor_spec.hpp"
#include "scree/step/row_source.hpp"

namespace scree {

struct SolvedContacts;

/// Bodies, and how space repeats about them.
struct PlacedBodies {
  const Store& bodies;
  const PeriodicCell& cell;
};

class JointSource final : public RowSource {
 public:
  static constexpr std::string_view kName = "joints";

  /// @p motors: loaded
  JointSource(std::vector<JointSpec> joints, std::vector<MotorSpec> motors);

  std::string_view name() const override { return kName; }
  void give(const SourceInput& input, GivenRows& rows) const override;

  std::string name_of_cone(std::int64_t key, std::span<const JointFrame> joints) const override;
  /// The size of the force in the step before, N, where the joint holds something.
  double state_after(const RowResult& result, const RowRecord* before,
                     std::span<const JointFrame> joints) const override;

  const std::vector<JointSpec>& joints() const { return joints_; }

 private:
  struct JointMotor {
    std::size_t number;  ///< among all motors
    Coordinate coordinate;
  };

  std::vector<JointSpec> joints_;
  std::vector<MotorSpec> motors_;
  std::vector<std::vector<JointMotor>> motors_of_;  ///< of each joint
};

/// The coordinate that @p motor drives of @p joint; nothing where that does not leave it free, or
/// leaves two and the motor does not say which.
std::optional<Coordinate> driven_by(const MotorSpec& motor, const JointSpec& joint);

/// Extends the boxes of owned grains that are joined as second ones by where the first ones are,
/// whose ranks must know them. Not collective.
void cover_joints(std::span<const JointFrame> joints, std::span<const JointSpec> specs,
                  Store& bodies);

/// Drops of @p pairs those whose bodies, or images of bodies, are joined and do not meet. Not
/// collective.
void drop_joined(std::span<const JointFrame> joints, const Store& bodies, const PeriodicCell& cell,
                 std::vector<Pair>& pairs);

/// Drops the joints of owned grains that do not stay: @p stays of each, in the order of slots.
/// Collective; the same on all ranks.
void drop_of_removed(MPI_Comm comm, const Store& bodies, const std::vector<bool>& stays,
                     std::vector<JointFrame>& joints);

/// The force of a joint on its first body in a step; the opposite on the second.
struct JointForce {
  std::int64_t number = 0;     ///< JointFrame::number
  Vec3 force = Vec3::Zero();   ///< world frame, N; motors, springs and friction included
  Vec3 torque = Vec3::Zero();  ///< about the joint's point on that body, world frame, N m
  double motor = 0.0;          ///< force or torque of its motors along their coordinate, N or N m
};

/// The forces of @p joints in a step of @p dt that was solved, while @p placed are where it began;
/// @p source is the place of theirs in Setup::sources. Their turns (JointFrame::turn) become those
/// of that moment. The same on all ranks. Collective. @throws Failure, on every rank, where no rank
/// gave a joint that holds something, or several did.
std::vector<JointForce> joint_forces(MPI_Comm comm, std::span<JointFrame> joints,
                                     std::span<const JointSpec> specs, const PlacedBodies& placed,
                                     const SolvedContacts& step, std::size_t source, double dt);

/// The joints as their bodies stand. The same on all ranks. Collective. @pre no joined grain was
/// removed
std::vector<JointEnds> joint_ends(MPI_Comm comm, std::span<const JointFrame> joints,
                                  const PlacedBodies& placed);

}  // namespace scree
