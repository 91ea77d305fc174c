#pragma once

/// The rows that the kernels sweep over: contacts of up to two bodies as views of a problem's
/// frames or block rows, and the forms in which kernels take them.
///
///     u_i = r_i + R_i lambda_i + sum_e X_e w_b,      w_b = sum_e Y_e^T lambda,      N_ii = sum_e X_e Y_e^T + R_i
///
/// | form    | contacts                      | X_e          | Y_e       | w_b                                     |
/// | ---     | ---                           | ---          | ---       | ---                                     |
/// | spheres | of spheres, at their surfaces | J_e          | J_e M^-1  | velocity that the impulses give body b  |
/// | points  | of rigid bodies, at a point   | J_e          | J_e M^-1  | likewise                                |
/// | rows    | any                           | B_e = J_e L  | B_e       | L^-1 of it (problem/body_rows.hpp)      |
///
/// Spheres and points are read as frames, of contacts or recovered from blocks (pair_forms.hpp),
/// whose first entry is A; rows have blocks. Frames alone have rows of moments
/// (problem/frames.hpp). Behind the contacts a problem may have rows that no kernel takes
/// (ruled_rows.hpp).

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/problem/body_pattern.hpp"
#include "scree/problem/cones.hpp"
#include "scree/problem/frame_block.hpp"
#include "scree/problem/frames.hpp"
#include "scree/problem/inverse_masses.hpp"

namespace scree {

/// Forms of contacts, the most special first: what one form takes, the next ones do, too.
enum class PairForm { spheres, points, rows };

/// M^-1 of a rigid body whose centre is the origin of its velocity, in the frame of its rows.
struct BodyMass {
  std::array<double, 3> linear{};   ///< 1/m along x, y, z, 1/kg; 0 where it is held
  std::array<double, 6> angular{};  ///< I^-1: xx, xy, xz, yy, yz, zz, 1/(kg m^2)

  /// M^-1 @p x, six numbers.
  std::array<double, 6> times(const double* x) const {
    const auto& i = angular;
    return {linear[0] * x[0],
            linear[1] * x[1],
            linear[2] * x[2],
            i[0] * x[3] + i[1] * x[4] + i[2] * x[5],
            i[1] * x[3] + i[3] * x[4] + i[4] * x[5],
            i[2] * x[3] + i[4] * x[4] + i[5] * x[5]};
  }
};

/// M^-1 of all bodies of a rank. A view: balls have theirs where the problem has it.
class BodyMasses {
 public:
  BodyMasses() = default;
  explicit BodyMasses(std::span<const InverseBallMass> balls) : balls_(balls) {}
  explicit BodyMasses(std::span<const BodyMass> any) : any_(any) {}

  std::size_t size() const { return balls_.size() + any_.size(); }
  BodyMass operator[](std::size_t b) const {
    if (!any_.empty()) return any_[b];
    const auto& [m, i] = balls_[b];
    return {{m, m, m}, {i, 0.0, 0.0, i, 0.0, i}};
  }

 private:
  std::span<const InverseBallMass> balls_;
  std::span<const BodyMass> any_;
};

/// The frame of a contact and its arms, m.
struct PairFrame {
  ContactFrame axes{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  Vec3 arm_a = Vec3::Zero();
  Vec3 arm_b = Vec3::Zero();

  const Vec3& arm(std::int32_t side) const { return side == 0 ? arm_a : arm_b; }
};

class RuledRows;

struct PairRows {
  BodiesOfCones bodies;                        ///< of each contact, two at most
  ContactView contacts;                        ///< of which the rows are, where they are known
  std::span<const ContactBlock> frame_blocks;  ///< the same, side by side
  std::span<const BallArmBlock> ball_arms;     ///< their arms, where all are of balls
  std::span<const ArmBlock> arms;              ///< their arms, where not all are
  std::span<const PairFrame> recovered;        ///< else the frames that blocks have; empty by rows
  std::span<const std::size_t> place;    ///< where the blocks of contact i begin among the values
  std::span<const double> blocks;        ///< X_e, rows x 6, entry after entry; empty with frames
  std::span<const std::int32_t> offset;  ///< contact i has the rows [offset[i], offset[i+1])
  std::span<const double> velocity;      ///< r, m/s, of each row
  std::span<const double> compliance;    ///< R of each row, 1/kg; empty where all are rigid
  std::span<const double> friction;      ///< mu of each contact; one number where all have it
  std::size_t n_bodies = 0;
  PairForm form = PairForm::rows;
  BodyMasses masses = {};  ///< of each body; none where the form is rows
  /// The cones of the contacts; empty where each is a single round disc of the friction above.
  std::span<const ConeBatch> batches = {};
  std::span<const double> length = {};  ///< l of each contact, m; empty where none has moments
  const RuledRows* ruled = nullptr;     ///< the rows behind; null where this rank has none

  std::size_t n_contacts() const { return bodies.size(); }
  std::size_t n_rows(std::size_t contact) const { return offset[contact + 1] - offset[contact]; }
  std::size_t row(std::size_t contact) const { return offset[contact]; }
  bool has_frames() const { return form != PairForm::rows; }
  /// @pre has_frames()
  PairFrame frame(std::size_t i) const {
    if (!recovered.empty()) return recovered[i];
    const Contact contact = contacts[i];
    return {contact.frame(), contact.arm_a, contact.arm_b};
  }
  double length_of(std::size_t contact) const { return length.empty() ? 0.0 : length[contact]; }
  double friction_of(std::size_t contact) const {
    return friction[friction.size() == 1 ? 0 : contact];
  }
  double compliance_of(std::size_t row) const { return compliance.empty() ? 0.0 : compliance[row]; }
};

/// Calls `visit(block, body)` for the entries of contact @p i; a block is n_rows(i) x 6.
template <class Visit>
void for_each_block(const PairRows& rows, std::size_t i, Visit&& visit) {
  const double* block = rows.blocks.data() + rows.place[i];
  for (const std::int32_t body : rows.bodies[i]) {
    visit(block, body);
    block += 6 * rows.n_rows(i);
  }
}

/// Calls `visit(side, body)` for the bodies of contact @p i: side 0 of the first, A, 1 of the
/// second.
template <class Visit>
void for_each_side(const PairRows& rows, std::size_t i, Visit&& visit) {
  std::int32_t side = 0;
  for (const std::int32_t body : rows.bodies[i]) visit(side++, body);
}

/// The impulse of a contact's frame with the rows @p l, whose moments have the factor @p moments.
inline Screw impulse_of_frame(const PairRows& rows, std::size_t i, const double* l,
                              double moments) {
  const int n_rows = static_cast<int>(rows.n_rows(i));
  const ContactFrame axes = rows.frame(i).axes;
  Screw impulse;
  for (int k = 0; k < std::min(n_rows, kForceRows); ++k) {
    impulse.linear += l[k] * axis_of(axes, k);
  }
  for (int k = kForceRows; k < n_rows; ++k) {
    impulse.angular += moments * l[k] * axis_of(axes, k);
  }
  return impulse;
}

/// w += sum_e X_e^T lambda of all rows, six numbers a body.
void add_impulses(const PairRows& rows, std::span<const double> lambda, std::vector<double>& w);

}  // namespace scree
