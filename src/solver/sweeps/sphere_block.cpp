#include "sphere_block.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scree/base/instructions.hpp"
#include "sphere_frames.hpp"

namespace scree {
namespace {

/// Facts of one body of each contact; zero where it is prescribed.
struct SideMasses {
  BlockNumbers linear;   ///< k_b / m, in the kernels' unit
  BlockNumbers angular;  ///< k_b / I, likewise
  BlockNumbers moves;    ///< 1 where it is not prescribed
};

SCREE_INLINE void take_masses(const NumberedRows& of, const BlockPart& part,
                              const std::array<std::int32_t, kBlock>& bodies, SideMasses& to) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::int32_t body = bodies[i];
    const bool moves = body >= 0;
    const BodyMass mass = moves ? of.rows.masses[body] : BodyMass();
    const double unit = moves ? of.impulse_unit * of.sharers[body] : 0.0;
    to.linear[i] = unit * mass.linear[0];
    to.angular[i] = unit * mass.angular[0];
    to.moves[i] = moves ? 1.0 : 0.0;
  }
}

SCREE_INLINE void put_vectors(const Triples& vectors, const BlockPart& part, std::size_t at,
                              SphereNumbers& numbers) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    numbers[at][i] = vectors.x[i];
    numbers[at + 1][i] = vectors.y[i];
    numbers[at + 2][i] = vectors.z[i];
  }
}

/// Arms along the normal, positive against it (SphereContact).
SCREE_INLINE void put_arms(const BallArmBlock& arms, const BlockPart& part, const SphereRows& own,
                           const SideMasses& a, const SideMasses& b, SphereNumbers& numbers) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double share = own.tangents[i];
    numbers[SphereContact::kArm][i] = -share * a.moves[i] * arms.a[i];
    numbers[SphereContact::kArm + 1][i] = share * b.moves[i] * arms.b[i];
  }
}

/// D_ii and what follows from it.
SCREE_INLINE void put_steps(const BlockPart& part, const SphereRows& own, const SideMasses& a,
                            const SideMasses& b, SphereNumbers& numbers) {
  using At = SphereContact;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double arm_a = numbers[At::kArm][i];
    const double arm_b = numbers[At::kArm + 1][i];
    const double linear = a.linear[i] + b.linear[i];
    const double d_n = own.softness_n[i] + linear;
    const double d_t =
        own.softness_t[i] + linear + arm_a * arm_a * a.angular[i] + arm_b * arm_b * b.angular[i];
    const double inverse_n = inverse_or_zero(d_n);
    numbers[At::kInverse][i] = inverse_n;
    numbers[At::kInverse + 1][i] = inverse_or_zero(d_t);
    numbers[At::kFriction][i] = own.friction[i];
    numbers[At::kCompliance][i] = own.softness_n[i];
    numbers[At::kCompliance + 1][i] = own.softness_t[i];
    numbers[At::kWeight][i] = (d_n + 2.0 * d_t) / 3.0;
    numbers[At::kPull][i] = own.friction[i] * d_t * inverse_n;
  }
}

}  // namespace

void sphere_numbers(const NumberedRows& of, const BlockPart& part, SphereNumbers& numbers) {
  using At = SphereContact;
  run_by(instructions(), [&] {
    const PartFrames frames(of.rows, part);
    put_vectors(frames.normals(), part, At::kNormal, numbers);
    Triples own_velocity;
    Triples velocity;
    take_rows(of.rows, part, of.rows.velocity.data(), own_velocity);
    combine(frames, part, own_velocity, velocity);
    put_vectors(velocity, part, At::kVelocity, numbers);
    SphereRows own;
    take_sphere_rows(of.rows, of.impulse_unit, part, own);
    SideMasses a;
    SideMasses b;
    take_masses(of, part, frames.bodies().a, a);
    take_masses(of, part, frames.bodies().b, b);
    put_arms(frames.arms(), part, own, a, b, numbers);
    put_steps(part, own, a, b, numbers);
  });
}

void to_world(const PairRows& rows, const BlockPart& part, std::span<const double> lambda,
              Triples& impulses) {
  run_by(instructions(), [&] {
    Triples own;
    take_rows(rows, part, lambda.data(), own);
    combine(PartFrames(rows, part), part, own, impulses);
  });
}

void to_rows(const PairRows& rows, const BlockPart& part, const Triples& impulses,
             std::span<double> lambda) {
  run_by(instructions(), [&] {
    const PartFrames frames(rows, part);
    BlockNumbers friction;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      friction[i] = rows.friction_of(part.contact(i));
    }
    Triples own;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Triple world = impulses[i];
      const double normal = std::max(dot(frames.normals()[i], world), 0.0);
      const double t1 = dot(frames.tangents.first[i], world);
      const double t2 = dot(frames.tangents.second[i], world);
      const double size = std::sqrt(t1 * t1 + t2 * t2);
      const double limit = friction[i] * normal;
      const double share = size > limit ? limit / size : 1.0;
      own.set(i, Triple{normal, share * t1, share * t2});
    }
    for (std::size_t i = part.begin; i < part.end; ++i) {
      double* to = lambda.data() + rows.row(part.contact(i));
      const std::size_t n = rows.n_rows(part.contact(i));
      to[0] = own.x[i];
      if (n > 1) to[1] = own.y[i];
      if (n > 2) to[2] = own.z[i];
    }
  });
}

}  // namespace scree
