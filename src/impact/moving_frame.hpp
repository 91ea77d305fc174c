#pragma once

#include <optional>

#include "scree/impact/energy_space.hpp"

namespace scree {

/// The velocity y_f in whose frame the contacts are at rest although walls move:
///
///     min sum_i (a_i . y_f + o_i),     a_i . y_f + o_i >= 0;
///
/// zero where no wall moves, none where walls close in on what is between them.
std::optional<Eigen::VectorXd> moving_frame(const EnergySpace& space);

/// Whether a wall or a held degree of freedom moves a contact: only then is there a program to solve.
inline bool walls_move(const EnergySpace& space) {
  return (space.offset.array() != 0.0).any();
}

}  // namespace scree
