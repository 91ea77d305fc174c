#pragma once

/// The force of the grains on each wall and tool in a step: impulse over dt, world frame.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/problem/assemble.hpp"

namespace scree {

struct Wrench {
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< about the tool's reference point (its position), N m
  std::int64_t contacts = 0;   ///< potential ones
};

/// One wrench for each tool slot, summed over the ranks: of @p lambda, less what cohesion pulls.
/// Collective.
std::vector<Wrench> tool_forces(MPI_Comm comm, const Store& store,
                                std::span<const Contact> contacts, const FormulatedStep& formulated,
                                Vec lambda, double dt);

}  // namespace scree
