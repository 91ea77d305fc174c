#include "sphere_block.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

SCREE_INLINE void take_frames(const PairRows& rows, std::size_t first, std::size_t count,
                              FrameBlock& frames) {
  if (rows.recovered.empty()) {
    frames.take(rows.contacts.data() + first, count);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const PairFrame& frame = rows.recovered[first + i];
    frames.normal.put(i, frame.axes.normal.data());
    frames.tangent1.put(i, frame.axes.tangent1.data());
    frames.tangent2.put(i, frame.axes.tangent2.data());
    frames.arm_a.put(i, frame.arm_a.data());
    frames.arm_b.put(i, frame.arm_b.data());
  }
}

/// The rows of the contacts among @p values; zero where a contact has fewer than three.
SCREE_INLINE void take_rows(const PairRows& rows, std::size_t first, std::size_t count,
                            const double* values, BlockVectors& to) {
  for (std::size_t i = 0; i < count; ++i) {
    const double* own = values + rows.row(first + i);
    const std::size_t n = rows.n_rows(first + i);
    to.x[i] = own[0];
    to.y[i] = n > 1 ? own[1] : 0.0;
    to.z[i] = n > 2 ? own[2] : 0.0;
  }
}

/// @p to = the vector of the world with these @p own numbers along the axes of @p frames.
SCREE_INLINE void combine(const FrameBlock& frames, std::size_t count, const BlockVectors& own,
                          double* __restrict x, double* __restrict y, double* __restrict z) {
  const BlockVectors& n = frames.normal;
  const BlockVectors& t = frames.tangent1;
  const BlockVectors& s = frames.tangent2;
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = own.x[i] * n.x[i] + own.y[i] * t.x[i] + own.z[i] * s.x[i];
    y[i] = own.x[i] * n.y[i] + own.y[i] * t.y[i] + own.z[i] * s.y[i];
    z[i] = own.x[i] * n.z[i] + own.y[i] * t.z[i] + own.z[i] * s.z[i];
  }
}

/// Facts of one body of each contact; zero where it is prescribed.
struct SideMasses {
  BlockNumbers linear;   ///< k_b / m, in the kernels' unit
  BlockNumbers angular;  ///< k_b / I, likewise
  BlockNumbers moves;    ///< 1 where it is not prescribed
};

SCREE_INLINE void take_masses(const NumberedRows& of, std::size_t first, std::size_t count,
                              std::size_t side, SideMasses& to) {
  static constexpr BodyMass kPrescribed{};
  const PairRows& rows = of.rows;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = rows.first[first + i] + side;
    const bool moves = std::cmp_less(entry, rows.first[first + i + 1]);
    const std::size_t body = moves ? rows.body[entry] : 0;
    const BodyMass& mass = moves ? rows.masses[body] : kPrescribed;
    const double unit = moves ? of.impulse_unit * of.sharers[body] : 0.0;
    to.linear[i] = unit * mass.linear[0];
    to.angular[i] = unit * mass.angular[0];
    to.moves[i] = moves ? 1.0 : 0.0;
  }
}

/// What each row of a contact has beside its frame: 1 and mu where it has tangents, and R.
struct SphereRows {
  BlockNumbers tangents;
  BlockNumbers friction;
  BlockNumbers softness_n;
  BlockNumbers softness_t;
};

SCREE_INLINE void take_sphere_rows(const NumberedRows& of, std::size_t first, std::size_t count,
                                   SphereRows& to) {
  const PairRows& rows = of.rows;
  const bool soft = !rows.compliance.empty();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = rows.row(first + i);
    const bool rubs = rows.n_rows(first + i) > 1;
    to.tangents[i] = rubs ? 1.0 : 0.0;
    to.friction[i] = rubs ? rows.friction[first + i] : 0.0;
    to.softness_n[i] = soft ? of.impulse_unit * rows.compliance[row] : 0.0;
    to.softness_t[i] = soft && rubs ? of.impulse_unit * rows.compliance[row + 1] : 0.0;
  }
}

/// 1 / x; 0 where nothing moves.
SCREE_INLINE double reciprocal(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// Arms along the normal, positive against it (SphereContact).
SCREE_INLINE void put_arms(const FrameBlock& frames, const SphereRows& own, const SideMasses& a,
                           const SideMasses& b, std::size_t count, SphereNumbers& numbers) {
  const BlockVectors& n = frames.normal;
  const BlockVectors& ra = frames.arm_a;
  const BlockVectors& rb = frames.arm_b;
  for (std::size_t i = 0; i < count; ++i) {
    numbers[SphereContact::kArm][i] =
        -own.tangents[i] * a.moves[i] * (n.x[i] * ra.x[i] + n.y[i] * ra.y[i] + n.z[i] * ra.z[i]);
    numbers[SphereContact::kArm + 1][i] =
        own.tangents[i] * b.moves[i] * (n.x[i] * rb.x[i] + n.y[i] * rb.y[i] + n.z[i] * rb.z[i]);
  }
}

/// D_ii and what follows from it.
SCREE_INLINE void put_steps(const SphereRows& own, const SideMasses& a, const SideMasses& b,
                            std::size_t count, SphereNumbers& numbers) {
  using At = SphereContact;
  for (std::size_t i = 0; i < count; ++i) {
    const double arm_a = numbers[At::kArm][i];
    const double arm_b = numbers[At::kArm + 1][i];
    const double linear = a.linear[i] + b.linear[i];
    const double d_n = own.softness_n[i] + linear;
    const double d_t =
        own.softness_t[i] + linear + arm_a * arm_a * a.angular[i] + arm_b * arm_b * b.angular[i];
    const double inverse_n = reciprocal(d_n);
    numbers[At::kInverse][i] = inverse_n;
    numbers[At::kInverse + 1][i] = reciprocal(d_t);
    numbers[At::kFriction][i] = own.friction[i];
    numbers[At::kCompliance][i] = own.softness_n[i];
    numbers[At::kCompliance + 1][i] = own.softness_t[i];
    numbers[At::kWeight][i] = (d_n + 2.0 * d_t) / 3.0;
    numbers[At::kPull][i] = own.friction[i] * d_t * inverse_n;
  }
}

}  // namespace

void sphere_numbers(const NumberedRows& of, std::size_t first, std::size_t count,
                    SphereNumbers& numbers) {
  using At = SphereContact;
  run_by(instructions(), [&] {
    FrameBlock frames;
    take_frames(of.rows, first, count, frames);
    std::copy_n(frames.normal.x.begin(), count, numbers[At::kNormal].begin());
    std::copy_n(frames.normal.y.begin(), count, numbers[At::kNormal + 1].begin());
    std::copy_n(frames.normal.z.begin(), count, numbers[At::kNormal + 2].begin());
    BlockVectors velocity;
    take_rows(of.rows, first, count, of.rows.velocity.data(), velocity);
    combine(frames, count, velocity, numbers[At::kVelocity].data(),
            numbers[At::kVelocity + 1].data(), numbers[At::kVelocity + 2].data());
    SphereRows own;
    take_sphere_rows(of, first, count, own);
    SideMasses a;
    SideMasses b;
    take_masses(of, first, count, 0, a);
    take_masses(of, first, count, 1, b);
    put_arms(frames, own, a, b, count, numbers);
    put_steps(own, a, b, count, numbers);
  });
}

void to_world(const PairRows& rows, std::size_t first, std::size_t count,
              std::span<const double> lambda, BlockVectors& impulses) {
  run_by(instructions(), [&] {
    FrameBlock frames;
    BlockVectors own;
    take_frames(rows, first, count, frames);
    take_rows(rows, first, count, lambda.data(), own);
    combine(frames, count, own, impulses.x.data(), impulses.y.data(), impulses.z.data());
  });
}

void to_rows(const PairRows& rows, std::size_t first, std::size_t count,
             const BlockVectors& impulses, std::span<double> lambda) {
  run_by(instructions(), [&] {
    FrameBlock frames;
    BlockVectors own;
    take_frames(rows, first, count, frames);
    for (std::size_t i = 0; i < count; ++i) {
      const double x = impulses.x[i];
      const double y = impulses.y[i];
      const double z = impulses.z[i];
      const BlockVectors& n = frames.normal;
      const BlockVectors& t = frames.tangent1;
      const BlockVectors& s = frames.tangent2;
      const double normal = std::max(n.x[i] * x + n.y[i] * y + n.z[i] * z, 0.0);
      const double first_tangent = t.x[i] * x + t.y[i] * y + t.z[i] * z;
      const double second_tangent = s.x[i] * x + s.y[i] * y + s.z[i] * z;
      const double size =
          std::sqrt(first_tangent * first_tangent + second_tangent * second_tangent);
      const double limit = rows.friction[first + i] * normal;
      const double share = size > limit ? limit / size : 1.0;
      own.x[i] = normal;
      own.y[i] = share * first_tangent;
      own.z[i] = share * second_tangent;
    }
    for (std::size_t i = 0; i < count; ++i) {
      double* to = lambda.data() + rows.row(first + i);
      const std::size_t n = rows.n_rows(first + i);
      to[0] = own.x[i];
      if (n > 1) to[1] = own.y[i];
      if (n > 2) to[2] = own.z[i];
    }
  });
}

}  // namespace scree
