#pragma once

#include <optional>

#include "scree/impact/energy_space.hpp"

namespace scree {

/// The velocity y_f in whose frame the contacts are at rest although walls move:
///
///     a_i . y_f + o_i = 0;        where that has no solution    min sum_i (a_i . y_f + o_i),     a_i . y_f + o_i >= 0
struct MovingFrame {
  std::optional<Eigen::VectorXd> velocity;  ///< none where walls close in on what is between them
  int programs = 0;                         ///< linear programs solved
};

/// Zero where no wall moves and no held degree of freedom.
MovingFrame moving_frame(const EnergySpace& space);

}  // namespace scree
