#pragma once

/// The motion of a free tool: a body with a mass that its weight, a load and the grains move. There
/// is no path, no gain and no controller: a piston is a plate and a force.
///
///     m dv/dt = m' g + force(t) + (what grains do),    m' = m less the mass of fluid displaced
///     I dw/dt = torque(t) + (what grains do) - w x I w
///
/// The load acts at the centre of mass, in the world frame, and holds for a step as it is at its
/// start. Degrees of freedom that are not free are held; along them the load would do nothing.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/config/formula.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/tools/motion_events.hpp"

namespace scree {

class Declaration;

struct LoadMotion {
  static constexpr std::string_view kType = "load";
  static constexpr std::string_view kHelp =
      "free: its weight, a load and the grains move it, against its mass";

  FormulaTexts force{"0", "0", "0"};   ///< formulas of t, N
  FormulaTexts torque{"0", "0", "0"};  ///< formulas of t, N m
  std::string pressure = "0";          ///< formula of t, Pa; of planes, to their free side
  double area = 0.0;                   ///< on which it acts, m^2; 0: that within four planes
  std::vector<std::string> within;     ///< two planes that face each other, and two across them
  std::vector<std::string> free{"x", "y", "z", "rx", "ry", "rz"};
  MotionEvents events;  ///< of the load

  void declare(Declaration& d);
  /// Makes the formulas of the texts.
  void load();
  /// Where it starts; where it is later, its state says.
  Pose pose_at(double /*t*/, const Pose& placed) const { return placed; }
  /// Force and torque of the load at the time @p t, N and N m. @pre loaded. @throws InputError
  /// naming @p tool and the formula when a value is not finite
  Vec6 load_at(double t, std::string_view tool) const;
  bool presses() const { return pressure != "0"; }
  /// Pa. @pre and @throws as load_at()
  double pressure_at(double t, std::string_view tool) const;
  /// The degrees of freedom that are not free (Store::fixed).
  std::uint8_t held() const;
  bool frees_rotation() const;

 private:
  std::shared_ptr<const std::vector<Formula>>
      formulas_;  ///< three of the force, three of the torque, one of the pressure
};

}  // namespace scree
