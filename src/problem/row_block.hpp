#pragma once

/// The contacts of a block, on which contact_rows.hpp works at once.

#include <array>

#include "contact_rows.hpp"

namespace scree {

/// All that the contacts of a block carry, and that their two bodies give.
struct ContactRows::Block {
  explicit Block(double dt) : springs(dt) {}

  HistoryBlock histories{};
  std::array<const PairLaw*, kBlock> law{};
  std::array<bool, kBlock> is_sprung{};
  bool is_plain = true;    ///< all are
  bool any_rigid = false;  ///< some have no spring
  SpringBlock springs;
};

/// Puts what the tool B moves by itself into the bias, of which the contact has @p row and those
/// behind it.
template <int kDim>
void ContactRows::put_motion_of_tool(const Contact& contact, std::size_t row) {
  auto own = cones::Rows<kDim>::Map(&bias[row]);
  if (sides_[contact.b].is_prescribed) {
    // of A against B, as far as it is prescribed
    const Screw motion{-point_velocity(contact.b, contact.arm_b),
                       -store_.angular_velocity[contact.b]};
    own = in_frame<kDim>(contact.frame(), motion, length_);
  }
  if (input_.surfaces.empty()) return;
  const Velocities& surface = input_.surfaces[contact.b];
  const ContactFrame frame = contact.frame();
  const Vec3 along = surface.linear + surface.angular.cross(contact.arm_b);
  if constexpr (kDim > 1) own[1] -= frame.tangent1.dot(along);
  if constexpr (kDim > 2) own[2] -= frame.tangent2.dot(along);
}

}  // namespace scree
