#include "pair_forms.hpp"

#include <algorithm>
#include <array>

namespace scree {
namespace {

constexpr std::size_t kMassNumbers = 36;
constexpr double kSquare = kFormTolerance * kFormTolerance;

Vec3 vector(const double* x) {
  return {x[0], x[1], x[2]};
}

BodyMass mass_of(const double* m) {
  return {
      {m[0], m[7], m[14]},
      {m[21], 0.5 * (m[22] + m[27]), 0.5 * (m[23] + m[33]), m[28], 0.5 * (m[29] + m[34]), m[35]}};
}

/// Whether @p m is what @p mass says, as far as rounding goes.
bool is_held_by(const BodyMass& mass, const double* m) {
  const auto& [x, y, z] = mass.linear;
  const auto& [xx, xy, xz, yy, yz, zz] = mass.angular;
  const std::array<double, kMassNumbers> whole{
      x,   0.0, 0.0, 0.0, 0.0, 0.0, 0.0, y,   0.0, 0.0, 0.0, 0.0, 0.0, 0.0, z,   0.0, 0.0, 0.0,
      0.0, 0.0, 0.0, xx,  xy,  xz,  0.0, 0.0, 0.0, xy,  yy,  yz,  0.0, 0.0, 0.0, xz,  yz,  zz};
  bool fits = true;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double off = m[6 * i + j] - whole[6 * i + j];
      fits &= off * off <= kSquare * m[7 * i] * m[7 * j];
    }
  }
  return fits;
}

BodyMass sphere_of(const BodyMass& mass) {
  const double l = mass.linear[0];
  const double a = mass.angular[0];
  return {{l, l, l}, {a, 0.0, 0.0, a, 0.0, a}};
}

double trace(const std::array<double, 3>& linear) {
  return linear[0] + linear[1] + linear[2];
}
double trace(const std::array<double, 6>& angular) {
  return angular[0] + angular[3] + angular[5];
}

/// How far the frame of a contact is from orthonormal: the sum of the squares of F F^T - 1.
double frame_error(const double* frame, std::size_t n_rows) {
  double sum = 0.0;
  for (std::size_t k = 0; k < n_rows; ++k) {
    for (std::size_t j = 0; j <= k; ++j) {
      const double excess = vector(frame + 6 * k).dot(vector(frame + 6 * j)) - (j == k ? 1.0 : 0.0);
      sum += excess * excess;
    }
  }
  return sum;
}

/// The arm r of an entry with rows of turning r x f, from sum_k f_k x (r x f_k) = n r - P r, where
/// P is the projection on the n rows. Along a single row it is zero.
/// @p sign: -1 for the second body.
Vec3 point_arm(const double* block, const double* frame, std::size_t n_rows, double sign) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < n_rows; ++k) {
    sum += sign * vector(frame + 6 * k).cross(vector(block + 6 * k + 3));
  }
  Vec3 on_rows = Vec3::Zero();
  for (std::size_t k = 0; k < n_rows; ++k) {
    const Vec3 f = vector(frame + 6 * k);
    on_rows += f.dot(sum) * f;
  }
  const auto n = static_cast<double>(n_rows);
  return (sum - on_rows) / n + on_rows / std::max(n - 1.0, 1.0);
}

/// Whether a block is sign F and sign (@p arm x F), beside what it moves of the body. Without roots
/// and branches, since every contact is asked.
bool is_arm(const double* block, const double* frame, std::size_t n_rows, double sign,
            const Vec3& arm, const BodyMass& mass) {
  double linear = 0.0;
  double angular = 0.0;
  double turning = 0.0;
  for (std::size_t k = 0; k < n_rows; ++k) {
    const Vec3 f = sign * vector(frame + 6 * k);
    const Vec3 turn = vector(block + 6 * k + 3);
    linear += (vector(block + 6 * k) - f).squaredNorm();
    angular += (turn - arm.cross(f)).squaredNorm();
    turning += turn.squaredNorm();
  }
  const double own = trace(mass.linear) + trace(mass.angular) * turning;
  return linear <= kSquare && trace(mass.angular) * angular <= kSquare * own;
}

/// Whether the rows of a block behind those of the force are moments about the axes of @p frame,
/// times @p length, likewise.
bool are_moments(const double* block, const PairFrame& frame, std::size_t n_rows, double sign,
                 double length, const BodyMass& mass) {
  double linear = 0.0;
  double angular = 0.0;
  for (std::size_t k = kForceRows; k < n_rows; ++k) {
    const Vec3 turn = sign * length * axis_of(frame.axes, static_cast<int>(k));
    linear += vector(block + 6 * k).squaredNorm();
    angular += (vector(block + 6 * k + 3) - turn).squaredNorm();
  }
  const double own = trace(mass.linear) + trace(mass.angular) * length * length;
  return linear <= kSquare && trace(mass.angular) * angular <= kSquare * own;
}

/// Rows of the force at a contact.
std::size_t force_rows(const PairRows& rows, std::size_t i) {
  return std::min<std::size_t>(rows.n_rows(i), kForceRows);
}

/// Whether all entries of all contacts are arms, those that `arm_of(frame, side)` gives.
template <class Arm>
bool have_arms(const PairRows& rows, std::span<const PairFrame> frames, const BodyMasses& masses,
               Arm&& arm_of) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = force_rows(rows, i);
    if (rows.bodies[i].empty()) return false;
    const double* frame = rows.blocks.data() + rows.place[i];
    if (!(frame_error(frame, n_rows) <= kSquare)) return false;
    std::int32_t side = 0;
    bool fits = true;
    for_each_block(rows, i, [&](const double* block, std::size_t body) {
      const double sign = side == 0 ? 1.0 : -1.0;
      fits = fits && is_arm(block, frame, n_rows, sign, arm_of(frames[i], side), masses[body]) &&
             are_moments(block, frames[i], rows.n_rows(i), sign, rows.length_of(i), masses[body]);
      ++side;
    });
    if (!fits) return false;
  }
  return true;
}

const Vec3& arm_of(const PairFrame& frame, std::int32_t side) {
  return frame.arm(side);
}

/// Whether contacts have tangents both or none, and R alike along them, of forces and of moments.
bool have_round_friction(const PairRows& rows) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    if (rows.n_rows(i) == 2) return false;
    for (std::size_t k = 1; k + 1 < rows.n_rows(i); k += 2) {
      const std::size_t row = rows.row(i) + k;
      if (rows.compliance_of(row) != rows.compliance_of(row + 1)) return false;
    }
  }
  return true;
}

}  // namespace

MassesInForm masses_in_form(const InverseMasses& inverse, std::vector<BodyMass>& storage) {
  storage.clear();
  if (inverse.are_of_balls()) return {PairForm::spheres, BodyMasses(inverse.balls())};
  PairForm form = PairForm::spheres;
  storage.reserve(inverse.size());
  for (std::size_t b = 0; b < inverse.size(); ++b) {
    const Mat6 whole = inverse[b];
    const double* m = whole.data();
    const BodyMass& mass = storage.emplace_back(mass_of(m));
    if (form == PairForm::spheres && !is_held_by(sphere_of(mass), m)) form = PairForm::points;
    if (form == PairForm::points && !is_held_by(mass, m)) form = PairForm::rows;
  }
  return {form, BodyMasses(std::span<const BodyMass>(storage))};
}

std::vector<PairFrame> frames_of(const PairRows& rows) {
  std::vector<PairFrame> frames(rows.n_contacts());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    PairFrame& frame = frames[i];
    if (rows.bodies[i].empty()) continue;
    const std::size_t n_rows = force_rows(rows, i);
    const double* first = rows.blocks.data() + rows.place[i];
    frame.axes.normal = vector(first);
    if (n_rows > 1) frame.axes.tangent1 = vector(first + 6);
    if (n_rows > 2) frame.axes.tangent2 = vector(first + 12);
    Vec3* arm = &frame.arm_a;
    for_each_block(rows, i, [&](const double* block, std::size_t) {
      *arm = point_arm(block, first, n_rows, arm == &frame.arm_a ? 1.0 : -1.0);
      arm = &frame.arm_b;
    });
  }
  return frames;
}

bool have_sphere_rows(const PairRows& rows, std::span<const PairFrame> frames,
                      const BodyMasses& masses) {
  if (!have_round_friction(rows)) return false;
  return have_arms(rows, frames, masses, [](const PairFrame& frame, std::int32_t side) -> Vec3 {
    return frame.arm(side).dot(frame.axes.normal) * frame.axes.normal;
  });
}

bool have_point_rows(const PairRows& rows, std::span<const PairFrame> frames,
                     const BodyMasses& masses) {
  return have_arms(rows, frames, masses, arm_of);
}

}  // namespace scree
