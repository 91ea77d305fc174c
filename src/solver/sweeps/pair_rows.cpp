#include "scree/solver/sweeps/pair_rows.hpp"

#include <array>

namespace scree {
namespace {

constexpr std::size_t kMassNumbers = 36;

bool is_sphere(const double* inverse_mass, SphereMass& mass) {
  mass = {inverse_mass[0], inverse_mass[21]};
  const std::array<double, 6> scale{mass.linear,  mass.linear,  mass.linear,
                                    mass.angular, mass.angular, mass.angular};
  bool fits = true;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double off = inverse_mass[6 * i + j] - (i == j ? scale[i] : 0.0);
      fits &= off * off <= kSphereTolerance * kSphereTolerance * scale[i] * scale[j];
    }
  }
  return fits;
}

using Triple = std::array<double, 3>;

double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Triple cross(const double* a, const double* b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// How far the frame of a contact is from orthonormal: the sum of the squares of F F^T - 1.
double frame_error(const double* frame, std::size_t n_rows) {
  double sum = 0.0;
  for (std::size_t k = 0; k < n_rows; ++k) {
    for (std::size_t j = 0; j <= k; ++j) {
      const double excess = dot(frame + 6 * k, frame + 6 * j) - (j == k ? 1.0 : 0.0);
      sum += excess * excess;
    }
  }
  return sum;
}

/// Whether a block is sign F and -arm (n x F), the arm being that of the entry. Without roots and branches, since
/// every contact is asked.
bool is_arm(const double* block, const double* frame, std::size_t n_rows, double sign,
            const SphereMass& mass) {
  const double arm = sphere_arm(block, n_rows);
  double linear = 0.0;
  double angular = 0.0;
  for (std::size_t k = 0; k < n_rows; ++k) {
    const double* f = frame + 6 * k;
    const Triple turn = cross(frame, f);
    for (std::size_t d = 0; d < 3; ++d) {
      const double off = block[6 * k + d] - sign * f[d];
      const double turned = block[6 * k + 3 + d] + arm * turn[d];
      linear += off * off;
      angular += turned * turned;
    }
  }
  constexpr double kSquare = kSphereTolerance * kSphereTolerance;
  return linear <= kSquare && mass.angular * angular <= kSquare * mass.linear;
}

}  // namespace

double sphere_arm(const double* block, std::size_t n_rows) {
  if (n_rows < 2) return 0.0;
  double sum = 0.0;
  for (std::size_t k = 1; k < n_rows; ++k) {
    sum -= dot(cross(block, block + 6 * k).data(), block + 6 * k + 3);
  }
  return sum / static_cast<double>(n_rows - 1);
}

bool recognise_masses(std::span<const double> inverse_mass, std::vector<SphereMass>& masses) {
  masses.resize(inverse_mass.size() / kMassNumbers);
  bool fits = true;
  for (std::size_t b = 0; b < masses.size(); ++b) {
    fits &= is_sphere(inverse_mass.data() + kMassNumbers * b, masses[b]);
  }
  return fits;
}

bool have_sphere_rows(const PairRows& rows, std::span<const SphereMass> masses) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const double* frame = rows.blocks.data() + rows.place[i];
    if (rows.first[i + 1] == rows.first[i] || n_rows == 2) return false;
    if (!(frame_error(frame, n_rows) <= kSphereTolerance * kSphereTolerance)) return false;
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
      std::array<double, 6> sum{};
      for (std::size_t k = 0; k < n_rows; ++k) {
        for (std::size_t d = 0; d < 6; ++d) sum[d] += block[6 * k + d] * l[k];
      }
      for (std::size_t d = 0; d < 6; ++d) w[6 * body + d] += sum[d];
    });
  }
}

void contact_velocities(const PairRows& rows, std::span<const double> lambda,
                        std::span<const double> w, std::span<double> u) {
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
