#pragma once

/// External forces and torques on grains, by formula.
///
/// Variables of the formulas, at the start of the step (so the force is explicit: it holds for the
/// step as it was at its start):
///
/// | variable   | meaning                                                              | unit |
/// | ---        | ---                                                                  | ---  |
/// | x, y, z    | centre; in a periodic direction the place in the cell, so that all images feel the same | m |
/// | vx, vy, vz | velocity                                                             | m/s  |
/// | ax, ay, az | direction of the grain's own z axis, that of a capsule or a ring            | 1    |
/// | radius     | of the ball of the grain's volume                                    | m    |
/// | mass       |                                                                      | kg   |
/// | t          | time at the start of the step                                        | s    |
///
/// Fields add up. Held degrees of freedom do not feel them; walls and tools do not, either.

#include <span>
#include <string>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/config/formula.hpp"

namespace scree {

class Declaration;

/// The unit of a body that force and torque of a field are given for: a body, m^3 or kg of it.
enum class ForcePer { body, volume, mass };
template <>
inline constexpr std::array kNamesOf<ForcePer> = names("body", "volume", "mass");

/// An entry of `forces:`.
struct ForceFieldSpec {
  std::string name = {};
  FormulaTexts force{"0", "0", "0"};   ///< world frame; N, or N over what `per` names
  FormulaTexts torque{"0", "0", "0"};  ///< about the centre, world frame; N m, or over the same
  ForcePer per = ForcePer::body;
  std::vector<std::string> materials = {};  ///< materials of the grains that feel it; empty: all

  void declare(Declaration& d);
};

class ForceField {
 public:
  /// @throws InputError for a formula that is none, or a material that is unknown.
  ForceField(const ForceFieldSpec& spec, std::span<const Material> materials);

  /// Force and torque on the grain in @p slot at the time @p t, N and N m; zero where it does not
  /// feel the field. Not collective. @throws InputError naming formula, body, place and time when a
  /// value is not finite.
  Vec6 on(const Store& store, std::int32_t slot, double t) const;
  /// Whether the grain in @p slot feels the field.
  bool acts_on(const Store& store, std::int32_t slot) const { return feels_[store.material[slot]]; }

 private:
  double amount(const Store& store, std::int32_t slot) const;

  std::string name_;
  std::vector<Formula> formulas_;  ///< three of the force, three of the torque
  ForcePer per_;
  std::vector<bool> feels_;  ///< whether grains of a material feel the field, by material
};

}  // namespace scree
