/// The masses of bodies as rows of single contacts meet them.

#include <array>
#include <cmath>
#include <utility>

#include "contact_rows.hpp"

namespace scree {

/// l of DESIGN, section 5: l^2 = tr N_tt / tr N_rr, with which rows of moments are in the unit of
/// the others. N has the compliance of the tangents.
double ContactRows::rolling_length_of(const Contact& contact, double softness) const {
  const ContactFrame frame = contact.frame();
  double tangents = 2.0 * softness;
  double moments = 0.0;
  const std::array<std::pair<std::int32_t, const Vec3*>, 2> sides{
      {{contact.a, &contact.arm_a}, {contact.b, &contact.arm_b}}};
  for (const auto& [slot, arm] : sides) {
    const std::int32_t body = sides_[slot].body;
    if (body < 0) continue;
    const InverseMasses& inverse = blocks.inverse_mass;
    const auto own = static_cast<std::size_t>(body);
    for (const Vec3* axis : {&frame.tangent1, &frame.tangent2}) {
      Vec6 row;
      row << *axis, arm->cross(*axis);
      if (inverse.are_diagonal()) {  // of balls: six products in place of a full matrix
        tangents += row.cwiseAbs2().dot(inverse.diagonal(own));
        moments += axis->cwiseAbs2().dot(inverse.diagonal(own).tail<3>());
      } else {
        tangents += row.dot(inverse[own] * row);
        moments += axis->dot(inverse[own].bottomRightCorner<3, 3>() * *axis);
      }
    }
  }
  return tangents > 0.0 && moments > 0.0 ? std::sqrt(tangents / moments) : 1.0;
}

/// That of the contact's own speed, kg: of what turns, too; @p in_series where nothing moves.
double ContactRows::mass_with_turning(const Contact& contact, const PairSides& sides,
                                      double in_series) const {
  double per_mass = 0.0;
  for (const auto& [body, arm] :
       {std::pair{sides.a.body, contact.arm_a}, std::pair{sides.b.body, contact.arm_b}}) {
    if (body < 0) continue;
    Vec6 row;
    row << contact.normal, arm.cross(contact.normal);
    per_mass += row.dot(blocks.inverse_mass[static_cast<std::size_t>(body)] * row);
  }
  return per_mass > 0.0 ? 1.0 / per_mass : in_series;
}

}  // namespace scree
