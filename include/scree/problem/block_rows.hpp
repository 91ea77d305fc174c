#pragma once

/// The primary form of a problem of rigid bodies: each cone's bodies with their blocks of J, and
/// the inverse mass of every body that this rank knows.
///
///     u_i = sum_e J_e v_(body of e) + r_i - J v_free,      v_b = M_b^-1 sum_(e of b) J_e^T lambda
///
/// | symbol | meaning                                         | shape          | unit        |
/// | ---    | ---                                             | ---            | ---         |
/// | J_e    | rows of a cone, columns of one of its bodies    | dim x 6        | 1, m        |
/// | M_b^-1 | of a body; held degrees of freedom are zero rows and columns | 6 x 6 | 1/kg .. |
///
/// A cone has one of two forms. Those of contacts, which come first, are frames: the contact as the
/// narrow phase found it, whose rows follow from its frame and arms (problem/frames.hpp). The
/// others (of files, and of sources besides contacts) have their blocks as numbers. Kernels for all
/// cones ask for_each_entry() for blocks of either; products with J (multiply, multiply_transposed)
/// read frames as they are.
///
/// Bodies are numbered locally (body_pattern.hpp). A rank holds the rows of its own cones.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/problem/body_pattern.hpp"
#include "scree/problem/cones.hpp"
#include "scree/problem/frame_block.hpp"
#include "scree/problem/frames.hpp"
#include "scree/problem/inverse_masses.hpp"

namespace scree {

/// Degrees of freedom of a rigid body.
inline constexpr int kBodyDofs = 6;
/// Degrees of freedom of a body that does not turn.
inline constexpr int kLinearDofs = 3;

/// The block of a cone of @p kDim rows and a body.
template <int kDim>
using BodyBlock = Eigen::Matrix<double, kDim, kBodyDofs, Eigen::RowMajor>;

/// Calls `visit(block, body)` for the entries of cone @p i, whose blocks, row-major and @p kDim x 6
/// each, stand one after another in @p values.
template <int kDim, class Value, class Visit>
void for_each_entry(const BodyPattern& pattern, std::vector<Value>& values, std::size_t i,
                    Visit&& visit) {
  Value* block = values.data() + pattern.place[i - pattern.n_frames];
  for (const std::int32_t body : pattern.of_others()[i - pattern.n_frames]) {
    visit(Eigen::Map<BodyBlock<kDim>>(block), body);
    block += std::ptrdiff_t{kDim} * kBodyDofs;
  }
}
template <int kDim, class Value, class Visit>
void for_each_entry(const BodyPattern& pattern, const std::vector<Value>& values, std::size_t i,
                    Visit&& visit) {
  const Value* block = values.data() + pattern.place[i - pattern.n_frames];
  for (const std::int32_t body : pattern.of_others()[i - pattern.n_frames]) {
    visit(Eigen::Map<const BodyBlock<kDim>>(block), body);
    block += std::ptrdiff_t{kDim} * kBodyDofs;
  }
}

struct BlockRows {
  BodyPattern pattern;
  ContactList frames;  ///< of the first pattern.n_frames cones
  std::vector<double>
      frame_length;              ///< l of each frame; empty where no cone of a frame has moments
  std::vector<double> jacobian;  ///< J_e of the other cones, entry after entry
  InverseMasses inverse_mass;    ///< of each local body

  /// The contacts become the frames of the first cones, their local bodies are @p bodies, of
  /// which A is never prescribed. @pre there is no other cone yet.
  void set_frames(const ContactList& contacts, std::vector<FrameBodies> bodies);
  double length_of(std::size_t i) const { return frame_length.empty() ? 0.0 : frame_length[i]; }
};

/// The numbers of the bodies A and B of frame @p i among @p values, kBodyDofs a body; null for one
/// that is prescribed.
template <class Value>
std::array<Value*, 2> numbers_of_frame(const BodyPattern& pattern, std::size_t i, Value* values) {
  const auto [a, b] = bodies_of_frame(pattern, i);
  const auto of = [&](std::int32_t body) {
    return body < 0 ? nullptr : values + kBodyDofs * static_cast<std::size_t>(body);
  };
  return {of(a), of(b)};
}

/// The block of one body of a contact: @p sign 1 and arm_a for A, -1 and arm_b for B.
template <int kDim>
BodyBlock<kDim> block_of_frame(const ContactFrame& frame, const Vec3& arm, double sign,
                               double length) {
  BodyBlock<kDim> block;
  for (int k = 0; k < kDim; ++k) {
    const Vec3 axis = sign * axis_of(frame, k);
    if (k < kForceRows) {
      block.row(k) << axis.transpose(), arm.cross(axis).transpose();
    } else {
      block.row(k) << Vec3::Zero().transpose(), length * axis.transpose();
    }
  }
  return block;
}

/// The blocks of frame @p i: of A and of B.
template <int kDim>
std::array<BodyBlock<kDim>, 2> blocks_of_frame(const BlockRows& rows, std::size_t i) {
  const Contact contact = rows.frames[i];
  const ContactFrame frame = contact.frame();
  return {block_of_frame<kDim>(frame, contact.arm_a, 1.0, rows.length_of(i)),
          block_of_frame<kDim>(frame, contact.arm_b, -1.0, rows.length_of(i))};
}

/// Calls `visit(block, body)` for the entries of cone @p i, of either form.
template <int kDim, class Visit>
void for_each_entry(const BlockRows& rows, std::size_t i, Visit&& visit) {
  const BodyPattern& pattern = rows.pattern;
  std::array<BodyBlock<kDim>, 2> of_frame;
  const double* block = of_frame[0].data();
  if (i < pattern.n_frames) {
    of_frame = blocks_of_frame<kDim>(rows, i);
  } else {
    block = rows.jacobian.data() + pattern.place[i - pattern.n_frames];
  }
  for (const std::int32_t body : pattern.bodies(i)) {
    visit(Eigen::Map<const BodyBlock<kDim>>(block), body);
    block += std::ptrdiff_t{kDim} * kBodyDofs;
  }
}

/// @p u += J v of this rank's cones. @p v: kBodyDofs numbers for each local body, ghosts' too.
void multiply(const BlockRows& rows, const Cones& cones, std::span<const double> v,
              std::span<double> u);
/// @p momenta += J^T lambda of this rank's cones, laid out likewise.
void multiply_transposed(const BlockRows& rows, const Cones& cones, std::span<const double> lambda,
                         std::span<double> momenta);

/// Collective. The block rows of J and M^-1 given as matrices whose bodies are blocks of kBodyDofs
/// rows.
BlockRows block_rows_of(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones);

}  // namespace scree
