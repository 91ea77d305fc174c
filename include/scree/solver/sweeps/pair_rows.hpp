#pragma once

/// What the kernels sweep over: contacts of up to two bodies with up to three rows, as views of a problem's
/// block rows, and the two forms in which kernels take them.
///
///     u_i = r_i + R_i lambda_i + sum_e X_e w_b,      w_b = sum_e Y_e^T lambda,      N_ii = sum_e X_e Y_e^T + R_i
///
/// | form    | X_e          | Y_e       | w_b                                     |
/// | ---     | ---          | ---       | ---                                     |
/// | spheres | J_e          | J_e M^-1  | velocity that the impulses give body b  |
/// | general | B_e = J_e L  | B_e       | L^-1 of it (problem/body_rows.hpp)      |

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct PairRows {
  std::span<const std::int32_t>
      first;  ///< contact i has the entries [first[i], first[i+1]), two at most
  std::span<const std::int32_t> body;    ///< local body of an entry
  std::span<const std::size_t> place;    ///< where the blocks of contact i begin among the values
  std::span<const double> blocks;        ///< X_e, rows x 6, entry after entry
  std::span<const std::int32_t> offset;  ///< contact i has the rows [offset[i], offset[i+1])
  std::span<const double> velocity;      ///< r, m/s, of each row
  std::span<const double> compliance;    ///< R of each row, 1/kg; empty where all are rigid
  std::span<const double> friction;      ///< mu of each contact
  std::size_t n_bodies = 0;

  std::size_t n_contacts() const { return first.size() - 1; }
  std::size_t n_rows(std::size_t contact) const {
    return static_cast<std::size_t>(offset[contact + 1] - offset[contact]);
  }
  std::size_t row(std::size_t contact) const { return static_cast<std::size_t>(offset[contact]); }
  double compliance_of(std::size_t row) const { return compliance.empty() ? 0.0 : compliance[row]; }
};

/// 1/m and 1/I of a sphere.
struct SphereMass {
  double linear = 0.0;
  double angular = 0.0;
};

/// Whether all bodies are spheres: M^-1 = diag(1/m, 1/m, 1/m, 1/I, 1/I, 1/I). What is neglected is below
/// kSphereTolerance of it. @p inverse_mass: 36 numbers a body. @p masses gets what the bodies have.
bool recognise_masses(std::span<const double> inverse_mass, std::vector<SphereMass>& masses);

/// Whether all contacts are of spheres: rows of the frame orthonormal, opposite for the second body, arms along the
/// normal; one row or three, and R alike along both tangents. What is neglected is below kSphereTolerance of the
/// contact's own block N_ii.
bool have_sphere_rows(const PairRows& rows, std::span<const SphereMass> masses);
inline constexpr double kSphereTolerance = 1e-10;

/// Calls `visit(block, body)` for the entries of contact @p i; a block is n_rows(i) x 6.
template <class Visit>
void for_each_block(const PairRows& rows, std::size_t i, Visit&& visit) {
  const double* block = rows.blocks.data() + rows.place[i];
  for (std::int32_t e = rows.first[i]; e < rows.first[i + 1]; ++e) {
    visit(block, static_cast<std::size_t>(rows.body[static_cast<std::size_t>(e)]));
    block += 6 * rows.n_rows(i);
  }
}

/// w += sum_e X_e^T lambda, six numbers a body.
void add_impulses(const PairRows& rows, std::span<const double> lambda, std::vector<double>& w);

/// u = r + R lambda + sum_e X_e w_b, in the rows' order.
void contact_velocities(const PairRows& rows, std::span<const double> lambda,
                        std::span<const double> w, std::span<double> u);

/// The arm of a sphere's entry along the normal (SphereContact), m; 0 where its contact has no tangents.
double sphere_arm(const double* block, std::size_t n_rows);

}  // namespace scree
