#pragma once

/// The end of a step, as conditions see it: values that every rank has, so that all ranks agree
/// without asking each other.

#include <string_view>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// The values of a tool in a row of tools.csv, which are conditions' to look at.
struct ToolSituation {
  std::string_view name;
  Vec3 force = Vec3::Zero();     ///< by the grains in the step, world frame, N
  Vec3 torque = Vec3::Zero();    ///< by the grains, about its position, world frame, N m
  Vec3 position = Vec3::Zero();  ///< m
  Vec3 velocity = Vec3::Zero();  ///< m/s
};

/// The end of a step, as conditions see it. The same on every rank.
struct Situation {
  double time = 0.0;            ///< s
  double kinetic_energy = 0.0;  ///< of grains and free tools, J
  std::vector<ToolSituation> tools;
};

}  // namespace scree
