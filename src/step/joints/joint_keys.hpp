#pragma once

/// Keys of the cones of joints (GivenCone::key): the number of the joint's frame, and the part of
/// it.

#include <cstdint>

#include "scree/joints/coordinate_spec.hpp"

namespace scree {

enum class JointPart { held, lowest, highest, spring, friction, swing };

inline constexpr std::int64_t kPartsOfJoint = std::int64_t{1} << 20;
inline constexpr std::int64_t kCoordinates = 4;  ///< or more than there are
inline constexpr std::int64_t kFirstMotor = 64;  ///< among the parts of a joint
static_assert(kNamesOf<Coordinate>.size() <= kCoordinates);
static_assert(kPartsOfJoint % kCoordinates == 0 && kFirstMotor % kCoordinates == 0);

inline std::int64_t key_of(std::int64_t frame, JointPart part,
                           Coordinate coordinate = Coordinate::slide) {
  constexpr std::int64_t kParts = 8;
  return frame * kPartsOfJoint + kParts * static_cast<std::int64_t>(coordinate) +
         static_cast<std::int64_t>(part);
}

inline std::int64_t key_of_motor(std::int64_t frame, std::size_t motor, Coordinate coordinate) {
  return frame * kPartsOfJoint + kFirstMotor + kCoordinates * static_cast<std::int64_t>(motor) +
         static_cast<std::int64_t>(coordinate);
}

inline std::int64_t frame_of(std::int64_t key) {
  return key / kPartsOfJoint;
}

inline bool is_held(std::int64_t key) {
  return key % kPartsOfJoint == static_cast<std::int64_t>(JointPart::held);
}

inline bool is_of_motor(std::int64_t key) {
  return key % kPartsOfJoint >= kFirstMotor;
}

/// Its number among all motors. @pre is_of_motor(key)
inline std::size_t motor_of(std::int64_t key) {
  return static_cast<std::size_t>((key % kPartsOfJoint - kFirstMotor) / kCoordinates);
}

/// @pre is_of_motor(key)
inline Coordinate coordinate_of_motor(std::int64_t key) {
  return static_cast<Coordinate>(key % kCoordinates);
}

}  // namespace scree
