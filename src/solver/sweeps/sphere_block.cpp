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
    frames.normal.set(i, frame.axes.normal);
    frames.tangent1.set(i, frame.axes.tangent1);
    frames.tangent2.set(i, frame.axes.tangent2);
    frames.arm_a.set(i, frame.arm_a);
    frames.arm_b.set(i, frame.arm_b);
  }
}

/// The rows of the contacts among @p values; zero where a contact has fewer than three.
SCREE_INLINE void take_rows(const PairRows& rows, std::size_t first, std::size_t count,
                            const double* values, Triples& to) {
  for (std::size_t i = 0; i < count; ++i) {
    const double* own = values + rows.row(first + i);
    const std::size_t n = rows.n_rows(first + i);
    to.set(i, Triple{own[0], n > 1 ? own[1] : 0.0, n > 2 ? own[2] : 0.0});
  }
}

/// The vectors of the world with the numbers @p own along the axes of @p frames.
SCREE_INLINE void combine(const FrameBlock& frames, std::size_t count, const Triples& own,
                          Triples& world) {
  for (std::size_t i = 0; i < count; ++i) {
    world.set(i, own.x[i] * frames.normal[i] + own.y[i] * frames.tangent1[i] +
                     own.z[i] * frames.tangent2[i]);
  }
}

/// Facts of one body of each contact; zero where it is prescribed.
struct SideMasses {
  Numbers linear;   ///< k_b / m, in the kernels' unit
  Numbers angular;  ///< k_b / I, likewise
  Numbers moves;    ///< 1 where it is not prescribed
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
  Numbers tangents;
  Numbers friction;
  Numbers softness_n;
  Numbers softness_t;
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

SCREE_INLINE void put_vectors(const Triples& vectors, std::size_t count, std::size_t at,
                              SphereNumbers& numbers) {
  std::copy_n(vectors.x.begin(), count, numbers[at].begin());
  std::copy_n(vectors.y.begin(), count, numbers[at + 1].begin());
  std::copy_n(vectors.z.begin(), count, numbers[at + 2].begin());
}

/// Arms along the normal, positive against it (SphereContact).
SCREE_INLINE void put_arms(const FrameBlock& frames, const SphereRows& own, const SideMasses& a,
                           const SideMasses& b, std::size_t count, SphereNumbers& numbers) {
  for (std::size_t i = 0; i < count; ++i) {
    const double share = own.tangents[i];
    numbers[SphereContact::kArm][i] = -share * a.moves[i] * dot(frames.normal[i], frames.arm_a[i]);
    numbers[SphereContact::kArm + 1][i] =
        share * b.moves[i] * dot(frames.normal[i], frames.arm_b[i]);
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
    put_vectors(frames.normal, count, At::kNormal, numbers);
    Triples own_velocity;
    Triples velocity;
    take_rows(of.rows, first, count, of.rows.velocity.data(), own_velocity);
    combine(frames, count, own_velocity, velocity);
    put_vectors(velocity, count, At::kVelocity, numbers);
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
              std::span<const double> lambda, Triples& impulses) {
  run_by(instructions(), [&] {
    FrameBlock frames;
    Triples own;
    take_frames(rows, first, count, frames);
    take_rows(rows, first, count, lambda.data(), own);
    combine(frames, count, own, impulses);
  });
}

void to_rows(const PairRows& rows, std::size_t first, std::size_t count, const Triples& impulses,
             std::span<double> lambda) {
  run_by(instructions(), [&] {
    FrameBlock frames;
    Triples own;
    take_frames(rows, first, count, frames);
    const double* friction = rows.friction.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
      const Triple world = impulses[i];
      const double normal = std::max(dot(frames.normal[i], world), 0.0);
      const double t1 = dot(frames.tangent1[i], world);
      const double t2 = dot(frames.tangent2[i], world);
      const double size = std::sqrt(t1 * t1 + t2 * t2);
      const double limit = friction[i] * normal;
      const double share = size > limit ? limit / size : 1.0;
      own.set(i, Triple{normal, share * t1, share * t2});
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
