#include "sphere_base.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scree/base/instructions.hpp"
#include "sphere_frames.hpp"

namespace scree {
namespace {

/// The velocities @p w of one body of each contact, six numbers a body; zero where it is
/// prescribed.
struct SideVelocities {
  Triples linear;
  Triples angular;
};

SCREE_INLINE void take_velocities(std::span<const double> w, const BlockPart& part,
                                  const std::array<std::int32_t, kBlock>& bodies,
                                  SideVelocities& to) {
  constexpr std::array<double, 6> kStill{};
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double* own = bodies[i] >= 0 ? &w[6 * static_cast<std::size_t>(bodies[i])] : &kStill[0];
    to.linear.set(i, Triple{own[0], own[1], own[2]});
    to.angular.set(i, Triple{own[3], own[4], own[5]});
  }
}

/// Adds J w in the world frame to @p velocity.
SCREE_INLINE void add_velocities(const PartFrames& frames, const BlockPart& part,
                                 std::span<const double> w, Triples& velocity) {
  SideVelocities a;
  SideVelocities b;
  take_velocities(w, part, frames.bodies().a, a);
  take_velocities(w, part, frames.bodies().b, b);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Triple spin = frames.arms().b[i] * b.angular[i] - frames.arms().a[i] * a.angular[i];
    velocity.set(i, velocity[i] + a.linear[i] - b.linear[i] + cross(frames.normals()[i], spin));
  }
}

template <class T>
SCREE_INLINE double rounded(double x) {
  return static_cast<double>(static_cast<T>(x));
}
template <class T>
SCREE_INLINE Triple rounded(const Triple& x) {
  return {rounded<T>(x.x), rounded<T>(x.y), rounded<T>(x.z)};
}

/// The tangential size of an impulse, over its normal, from which on t is along it. The rounding of
/// the normal's axis gives b a tangential part of 3e-8 of it, which is not to turn b from t.
/// Sliding contacts have t along their impulses however small mu is.
SCREE_INLINE double least_tangent(double mu) {
  constexpr double kLeast = 1e-12;
  constexpr double kMost = 1e-5;
  return std::min(kMost, std::max(kLeast, 0.5 * mu));
}

/// Axes and sizes of b, and the changes over it that the @p impulses are, in the kernels' unit.
template <class T>
SCREE_INLINE void put_axes(const PartFrames& frames, const SphereRows& own, const Triples& impulses,
                           const BlockPart& part, SphereBases& bases) {
  using At = SphereBase;
  const Triples& any = frames.tangents.first;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Triple impulse = impulses[i];
    const Triple normal = frames.normals()[i];
    const double along = dot(normal, impulse);
    const Triple across = impulse - along * normal;
    const double size = std::sqrt(dot(across, across));
    const bool has_tangent = size > least_tangent(own.friction[i]) * std::abs(along);
    const double per_size = 1.0 / (has_tangent ? size : 1.0);
    const Triple t{rounded<T>(has_tangent ? per_size * across.x : any.x[i]),
                   rounded<T>(has_tangent ? per_size * across.y : any.y[i]),
                   rounded<T>(has_tangent ? per_size * across.z : any.z[i])};
    const double b_n = rounded<T>(along);
    const double b_t = has_tangent ? rounded<T>(size) : 0.0;
    bases.numbers[At::kTangent][i] = t.x;
    bases.numbers[At::kTangent + 1][i] = t.y;
    bases.numbers[At::kTangent + 2][i] = t.z;
    bases.numbers[At::kNormal][i] = b_n;
    bases.numbers[At::kSize][i] = b_t;
    bases.change.set(i, impulse - b_n * rounded<T>(normal) - b_t * t);
  }
}

/// The room of b, and the velocities @p velocity with R b along n and the tangential part of b, or
/// t where it has none.
template <class T>
SCREE_INLINE void put_velocities(const RefinedRows& of, const PartFrames& frames,
                                 const SphereRows& own, const Triples& velocity,
                                 const BlockPart& part, SphereBases& bases) {
  using At = SphereBase;
  const double outward = of.law == LocalLaw::associated ? 1.0 : 0.0;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Triple normal = frames.normals()[i];
    const Triple t{bases.numbers[At::kTangent][i], bases.numbers[At::kTangent + 1][i],
                   bases.numbers[At::kTangent + 2][i]};
    const double b_t = bases.numbers[At::kSize][i];
    const Triple b = bases.numbers[At::kNormal][i] * rounded<T>(normal) + b_t * t;
    const double along = dot(normal, b);
    const Triple across = b - along * normal;
    bases.numbers[At::kRoom][i] = own.friction[i] * along - std::sqrt(dot(across, across));
    const Triple flat = t - dot(normal, t) * normal;
    const Triple tangent{b_t > 0.0 ? across.x : flat.x, b_t > 0.0 ? across.y : flat.y,
                         b_t > 0.0 ? across.z : flat.z};
    const Triple first = (1.0 / std::sqrt(dot(tangent, tangent))) * tangent;
    const Triple u = velocity[i] + own.softness_n[i] * along * normal + own.softness_t[i] * across;
    const double u_t = dot(first, u);
    bases.velocity.set(i, Triple{dot(normal, u) + outward * own.friction[i] * u_t, u_t,
                                 dot(cross(normal, first), u)});
  }
}

}  // namespace

template <class T>
void sphere_bases(const RefinedRows& of, const BlockPart& part, SphereBases& bases) {
  run_by(instructions(), [&] {
    const PartFrames frames(of.rows, part);
    SphereRows own;
    take_sphere_rows(of.rows, of.impulse_unit, part, own);
    Triples rows;
    Triples world;
    take_rows(of.rows, part, of.lambda.data(), rows);
    combine(frames, part, rows, world);
    const double per_unit = 1.0 / of.impulse_unit;
    for (std::size_t i = part.begin; i < part.end; ++i) world.set(i, per_unit * world[i]);
    put_axes<T>(frames, own, world, part, bases);
    take_rows(of.rows, part, of.rows.velocity.data(), rows);
    combine(frames, part, rows, world);
    add_velocities(frames, part, of.w, world);
    put_velocities<T>(of, frames, own, world, part, bases);
  });
}

template void sphere_bases<float>(const RefinedRows&, const BlockPart&, SphereBases&);
template void sphere_bases<double>(const RefinedRows&, const BlockPart&, SphereBases&);

}  // namespace scree
