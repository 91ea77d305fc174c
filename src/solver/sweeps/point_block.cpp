#include "point_block.hpp"

#include <algorithm>
#include <cstdint>

#include "local_block.hpp"
#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// Frames, arms and bodies of contacts. Axes of rows and arms of bodies that a contact lacks are
/// zero.
struct PointFrames {
  std::array<Triples, 3> axes;
  std::array<Triples, 2> arms;
  std::array<std::array<std::int32_t, kBlock>, 2> bodies;  ///< -1 where there is none
};

SCREE_INLINE void take_bodies(const PairRows& rows, const BlockPart& part, PointFrames& to) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const BodiesOfCone own = rows.bodies[part.contact(i)];
    for (std::size_t side = 0; side < 2; ++side) {
      to.bodies[side][i] = side < own.size() ? own[side] : -1;
    }
  }
}

SCREE_INLINE void clear_missing(const PairRows& rows, const BlockPart& part, PointFrames& to) {
  constexpr Triple kZero{0.0, 0.0, 0.0};
  for (std::size_t i = part.begin; i < part.end; ++i) {
    for (std::size_t k = rows.n_rows(part.contact(i)); k < 3; ++k) to.axes[k].set(i, kZero);
    for (std::size_t side = 0; side < 2; ++side) {
      if (to.bodies[side][i] < 0) to.arms[side].set(i, kZero);
    }
  }
}

/// The normals and arms of contacts that are listed in blocks.
SCREE_INLINE void take_listed_normals_and_arms(const PairRows& rows, const BlockPart& part,
                                               PointFrames& to) {
  const Triples& normals = rows.frame_blocks[part.block].normal;
  const ArmBlock& arms = rows.arms[part.block];
  for (std::size_t i = part.begin; i < part.end; ++i) {
    to.axes[0].set(i, normals[i]);
    to.arms[0].set(i, arms.a[i]);
    to.arms[1].set(i, arms.b[i]);
  }
}

SCREE_INLINE void take_tangents(const BlockPart& part, PointFrames& to) {
  FrameTangents tangents;
  tangents.take(to.axes[0], part);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    to.axes[1].set(i, tangents.first[i]);
    to.axes[2].set(i, tangents.second[i]);
  }
}

SCREE_INLINE void take_one_by_one(const PairRows& rows, const BlockPart& part, PointFrames& to) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const PairFrame frame = rows.frame(part.contact(i));
    to.axes[0].set(i, frame.axes.normal);
    to.axes[1].set(i, frame.axes.tangent1);
    to.axes[2].set(i, frame.axes.tangent2);
    to.arms[0].set(i, frame.arm_a);
    to.arms[1].set(i, frame.arm_b);
  }
}

/// All but tangents where contacts are listed, and with what clear_missing() clears.
SCREE_INLINE void take_normals_and_arms(const PairRows& rows, const BlockPart& part,
                                        PointFrames& to) {
  take_bodies(rows, part, to);
  if (rows.arms.empty()) {
    take_one_by_one(rows, part, to);
  } else {
    take_listed_normals_and_arms(rows, part, to);
  }
}

SCREE_INLINE void take_frames(const PairRows& rows, const BlockPart& part, PointFrames& to) {
  take_normals_and_arms(rows, part, to);
  if (!rows.arms.empty()) take_tangents(part, to);
  clear_missing(rows, part, to);
}

/// M^-1 of one body of each contact, with a factor; zero where there is none.
struct SideMass {
  std::array<BlockNumbers, 3> linear;
  std::array<BlockNumbers, 6> angular;
};

/// @p factor: gives that of a body.
template <class Factor>
SCREE_INLINE void take_masses(const PairRows& rows, const BlockPart& part,
                              const PointFrames& frames, std::size_t side, const Factor& factor,
                              SideMass& to) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::int32_t body = frames.bodies[side][i];
    const double share = body < 0 ? 0.0 : factor(static_cast<std::size_t>(body));
    const BodyMass mass = body < 0 ? BodyMass() : rows.masses[static_cast<std::size_t>(body)];
    for (std::size_t k = 0; k < 3; ++k) to.linear[k][i] = share * mass.linear[k];
    for (std::size_t k = 0; k < 6; ++k) to.angular[k][i] = share * mass.angular[k];
  }
}

/// f . M^-1 g of two rows, forces along @p f and @p g with the moments @p of_f and @p of_g.
SCREE_INLINE double product(const SideMass& mass, std::size_t i, const Triple& f,
                            const Triple& of_f, const Triple& g, const Triple& of_g) {
  const auto& l = mass.linear;
  const auto& a = mass.angular;
  const Triple moved{l[0][i] * g.x, l[1][i] * g.y, l[2][i] * g.z};
  const Triple turned{a[0][i] * of_g.x + a[1][i] * of_g.y + a[2][i] * of_g.z,
                      a[1][i] * of_g.x + a[3][i] * of_g.y + a[4][i] * of_g.z,
                      a[2][i] * of_g.x + a[4][i] * of_g.y + a[5][i] * of_g.z};
  return dot(f, moved) + dot(of_f, turned);
}

SCREE_INLINE void add_side(const BlockPart& part, const PointFrames& frames, std::size_t side,
                           const SideMass& mass, OwnBlocks& d) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Triple arm = frames.arms[side][i];
    const Triple n = frames.axes[0][i];
    const Triple t1 = frames.axes[1][i];
    const Triple t2 = frames.axes[2][i];
    const Triple of_n = cross(arm, n);
    const Triple of_t1 = cross(arm, t1);
    const Triple of_t2 = cross(arm, t2);
    d[0][i] += product(mass, i, n, of_n, n, of_n);
    d[1][i] += product(mass, i, n, of_n, t1, of_t1);
    d[2][i] += product(mass, i, n, of_n, t2, of_t2);
    d[3][i] += product(mass, i, t1, of_t1, t1, of_t1);
    d[4][i] += product(mass, i, t1, of_t1, t2, of_t2);
    d[5][i] += product(mass, i, t2, of_t2, t2, of_t2);
  }
}

SCREE_INLINE void put_frames(const BlockPart& part, const PointFrames& frames,
                             PointNumbers& numbers) {
  const auto put = [&](const Triples& vectors, std::size_t at) {
    const std::size_t count = part.end - part.begin;
    std::copy_n(&vectors.x[part.begin], count, &numbers[at][part.begin]);
    std::copy_n(&vectors.y[part.begin], count, &numbers[at + 1][part.begin]);
    std::copy_n(&vectors.z[part.begin], count, &numbers[at + 2][part.begin]);
  };
  for (std::size_t k = 0; k < 3; ++k) put(frames.axes[k], PointContact::kFrame + 3 * k);
  for (std::size_t side = 0; side < 2; ++side) {
    put(frames.arms[side], PointContact::kArms + 3 * side);
  }
}

}  // namespace

void point_numbers(const NumberedRows& of, const BlockPart& part, PointNumbers& numbers) {
  run_by(instructions(), [&] {
    PointFrames frames;
    take_frames(of.rows, part, frames);
    put_frames(part, frames, numbers);
    const LocalNumbers local{&numbers[PointContact::kLocal], LocalContact::kNumbers};
    OwnBlocks d;
    put_rows(of, part, local, d);
    const auto factor = [&of](std::size_t body) { return of.impulse_unit * of.sharers[body]; };
    for (std::size_t side = 0; side < 2; ++side) {
      SideMass mass;
      take_masses(of.rows, part, frames, side, factor, mass);
      add_side(part, frames, side, mass, d);
    }
    put_steps(of.law, part, d, local);
  });
}

double sum_of_point_normals(const PairRows& rows) {
  BlockNumbers sums{};
  run_by(instructions(), [&] {
    for_each_part(0, rows.n_contacts(), [&](const BlockPart& part) {
      PointFrames frames;
      take_normals_and_arms(rows, part, frames);
      for (std::size_t side = 0; side < 2; ++side) {
        SideMass mass;
        take_masses(
            rows, part, frames, side, [](std::size_t) { return 1.0; }, mass);
        for (std::size_t i = part.begin; i < part.end; ++i) {
          const Triple n = frames.axes[0][i];
          const Triple of_n = cross(frames.arms[side][i], n);
          sums[i] += product(mass, i, n, of_n, n, of_n);
        }
      }
    });
  });
  double sum = 0.0;
  for (const double one : sums) sum += one;
  return sum;
}

}  // namespace scree
