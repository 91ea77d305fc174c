#pragma once

/// The force of the grains on each wall and tool in a step: impulse over dt, world frame.

#include <cstdint>

#include "scree/base/math.hpp"

namespace scree {

struct Wrench {
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< about the tool's reference point (its position), N m
  std::int64_t contacts = 0;   ///< potential ones
};

}  // namespace scree
