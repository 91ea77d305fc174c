#include "scree/solver/sweeps/pair_rows.hpp"

#include <cmath>

#include "scree/base/math.hpp"

namespace scree {
namespace {

using Row = Eigen::Map<const Vec3>;

bool is_sphere(const double* inverse_mass, SphereMass& mass) {
  mass = {inverse_mass[0], inverse_mass[21]};
  const auto scale = [&](std::size_t i) { return i < 3 ? mass.linear : mass.angular; };
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double expected = i == j ? scale(i) : 0.0;
      const double allowed = kSphereTolerance * std::sqrt(scale(i) * scale(j));
      if (!(std::abs(inverse_mass[6 * i + j] - expected) <= allowed)) return false;
    }
  }
  return true;
}

/// Whether the frame of a contact is orthonormal.
bool is_frame(const double* block, std::size_t n_rows) {
  for (std::size_t k = 0; k < n_rows; ++k) {
    for (std::size_t j = 0; j <= k; ++j) {
      const double product = Row(block + 6 * k).dot(Row(block + 6 * j));
      if (std::abs(product - (j == k ? 1.0 : 0.0)) > kSphereTolerance) return false;
    }
  }
  return true;
}

/// Whether a block is sign (F, -arm (n x F)).
bool is_arm(const double* block, const double* frame, std::size_t n_rows, double sign,
            const SphereMass& mass) {
  const Vec3 n = Row(frame);
  const double arm = sphere_arm(block, n_rows, sign).arm;
  for (std::size_t k = 0; k < n_rows; ++k) {
    const Vec3 f = Row(frame + 6 * k);
    if ((Vec3(Row(block + 6 * k)) - sign * f).norm() > kSphereTolerance) return false;
    const Vec3 error = Vec3(Row(block + 6 * k + 3)) + arm * n.cross(f);
    const double allowed = kSphereTolerance * kSphereTolerance * mass.linear;
    if (mass.angular * error.squaredNorm() > allowed) return false;
  }
  return true;
}

}  // namespace

SphereArm sphere_arm(const double* block, std::size_t n_rows, double sign) {
  const Vec3 n = sign * Vec3(Row(block));
  double arm = 0.0;
  for (std::size_t k = 1; k < n_rows; ++k) {
    const Vec3 f = sign * Vec3(Row(block + 6 * k));
    arm -= n.cross(f).dot(Vec3(Row(block + 6 * k + 3))) / static_cast<double>(n_rows - 1);
  }
  return {{n[0], n[1], n[2]}, arm};
}

bool recognise_spheres(const PairRows& rows, std::span<const double> inverse_mass,
                       std::vector<SphereMass>& masses) {
  masses.resize(rows.n_bodies);
  for (std::size_t b = 0; b < rows.n_bodies; ++b) {
    if (!is_sphere(inverse_mass.data() + 36 * b, masses[b])) return false;
  }
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const double* frame = rows.blocks.data() + rows.place[i];
    if (rows.first[i + 1] == rows.first[i] || n_rows == 2 || !is_frame(frame, n_rows)) return false;
    const std::size_t row = rows.row(i);
    if (n_rows > 1 && rows.compliance_of(row + 1) != rows.compliance_of(row + 2)) return false;
    double sign = 1.0;
    bool fits = true;
    for_each_block(rows, i, [&](const double* block, std::size_t body) {
      fits = fits && is_arm(block, frame, n_rows, sign, masses[body]);
      sign = -1.0;
    });
    if (!fits) return false;
  }
  return true;
}

void add_impulses(const PairRows& rows, std::span<const double> lambda, std::vector<double>& w) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const double* l = lambda.data() + rows.row(i);
    for_each_block(rows, i, [&](const double* block, std::size_t body) {
      double* own = w.data() + 6 * body;
      for (std::size_t k = 0; k < n_rows; ++k) {
        for (std::size_t d = 0; d < 6; ++d) own[d] += block[6 * k + d] * l[k];
      }
    });
  }
}

void contact_velocities(const PairRows& rows, std::span<const double> lambda,
                        const std::vector<double>& w, std::span<double> u) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const std::size_t row = rows.row(i);
    for (std::size_t k = row; k < row + n_rows; ++k) {
      u[k] = rows.velocity[k] + rows.compliance_of(k) * lambda[k];
    }
    for_each_block(rows, i, [&](const double* block, std::size_t body) {
      const double* own = w.data() + 6 * body;
      for (std::size_t k = 0; k < n_rows; ++k) {
        const double* x = block + 6 * k;
        u[row + k] += (x[0] * own[0] + x[1] * own[1] + x[2] * own[2]) +
                      (x[3] * own[3] + x[4] * own[4] + x[5] * own[5]);
      }
    });
  }
}

}  // namespace scree
