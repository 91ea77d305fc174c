#include "contact_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "projected_scales.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {
namespace {

using Square3 = cones::Square<3>;

double inverse_or_zero(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// A row's Y_e^T of pair_rows.hpp.
std::array<double, 6> response(const PairRows& rows, const double* row, std::size_t body) {
  if (rows.form != PairForm::rows) return rows.masses[body].times(row);
  std::array<double, 6> own;
  std::copy_n(row, own.size(), own.begin());
  return own;
}

double dot(const double* row, const std::array<double, 6>& other) {
  return std::inner_product(other.begin(), other.end(), row, 0.0);
}

/// Calls `visit(block, body)` for the entries of a contact, whichever form it has.
template <class Visit>
void for_each_rows(const PairRows& rows, std::size_t contact, Visit&& visit) {
  if (!rows.has_frames()) return for_each_block(rows, contact, visit);
  const PairFrame frame = rows.frame(contact);
  for_each_side(rows, contact, [&](std::int32_t side, std::size_t body) {
    const BodyBlock<kForceRows> block =
        block_of_frame<kForceRows>(frame.axes, frame.arm(side), side == 0 ? 1.0 : -1.0, 0.0);
    visit(block.data(), body);
  });
}

/// D_ii in the kernels' unit.
Square3 own_block(const NumberedRows& of, std::size_t contact) {
  const PairRows& rows = of.rows;
  const std::size_t n_rows = rows.n_rows(contact);
  Square3 d = Square3::Zero();
  const auto at = [&d](std::size_t k, std::size_t j) -> double& {
    return d(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
  };
  for (std::size_t k = 0; k < n_rows; ++k) at(k, k) = rows.compliance_of(rows.row(contact) + k);
  for_each_rows(rows, contact, [&](const double* block, std::size_t body) {
    for (std::size_t k = 0; k < n_rows; ++k) {
      const std::array<double, 6> moved = response(rows, block + 6 * k, body);
      for (std::size_t j = 0; j < n_rows; ++j) {
        at(j, k) += of.sharers[body] * dot(block + 6 * j, moved);
      }
    }
  });
  return of.impulse_unit * d;
}

/// P and C of @p d. S is singular where a row is missing or depends on another one; as in
/// circular_contact.hpp its pivots are then positive by rounding's share.
void put_factors(const Square3& d, double* local) {
  const double least = 1e-14 * d.trace();
  const double inverse = inverse_or_zero(d(0, 0));
  const double c1 = d(1, 0) * inverse;
  const double c2 = d(2, 0) * inverse;
  const double s11 = std::max(0.0, d(1, 1) - c1 * d(1, 0)) + least;
  const double s12 = d(2, 1) - c2 * d(1, 0);
  const double c3 = s12 * inverse_or_zero(s11);
  const double s22 = d(2, 2) - c2 * d(2, 0);
  double* pivots = local + LocalContact::kPivots;
  pivots[0] = d(0, 0);
  pivots[1] = s11;
  pivots[2] = std::max(0.0, s22 - c3 * s12) + least;
  double* factors = local + LocalContact::kFactors;
  factors[0] = c1;
  factors[1] = c2;
  factors[2] = c3;
}

/// The numbers of projected steps, in the scales of pgs.hpp.
void put_scales(const Square3& d, double mu, double* local) {
  const cones::Rows<3> bound = projected_scales(d, cones::Circular{{mu}}).scale.cwiseAbs2();
  const double normal = bound[0];
  const double tangent = bound[1];
  local[LocalContact::kInverse] = inverse_or_zero(normal);
  local[LocalContact::kInverse + 1] = normal > 0.0 ? inverse_or_zero(tangent) : 0.0;
  local[LocalContact::kPull] = normal > 0.0 ? mu * tangent / normal : 0.0;
  local[LocalContact::kWeight] = d.trace() / 3.0;
}

void put_local(const NumberedRows& of, std::size_t contact, double* local) {
  const PairRows& rows = of.rows;
  const std::size_t n_rows = rows.n_rows(contact);
  const std::size_t row = rows.row(contact);
  for (std::size_t k = 0; k < n_rows; ++k) {
    local[LocalContact::kVelocity + k] = rows.velocity[row + k];
    local[LocalContact::kCompliance + k] = of.impulse_unit * rows.compliance_of(row + k);
  }
  const double mu = n_rows > 1 ? rows.friction_of(contact) : 0.0;
  local[LocalContact::kFriction] = mu;
  const Square3 d = own_block(of, contact);
  of.law == LocalLaw::coulomb ? put_factors(d, local) : put_scales(d, mu, local);
}

/// The sum of N_nn over the contacts.
double sum_of_normals(const PairRows& rows) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    for_each_rows(rows, i, [&](const double* block, std::size_t body) {
      sum += dot(block, response(rows, block, body));
    });
  }
  return sum;
}

/// sum_of_normals() of spheres, whose normals pass through their centres.
double sum_of_sphere_normals(const PairRows& rows) {
  std::array<double, 4> sums{};  // side by side, since each sum waits for the one before
  std::size_t e = 0;
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    for (const std::int32_t body : rows.bodies[i]) sums[e++ % 4] += rows.masses[body].linear[0];
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace

double mean_mass(const PairRows& rows) {
  const double sum =
      rows.form == PairForm::spheres ? sum_of_sphere_normals(rows) : sum_of_normals(rows);
  return sum > 0.0 ? static_cast<double>(rows.n_contacts()) / sum : 1.0;
}

std::array<double, PointContact::kNumbers> point_numbers(const NumberedRows& of,
                                                         std::size_t contact) {
  using At = PointContact;
  const PairRows& rows = of.rows;
  const std::size_t n_rows = rows.n_rows(contact);
  const PairFrame frame = rows.frame(contact);
  std::array<double, At::kNumbers> put{};
  for (std::size_t k = 0; k < n_rows; ++k) {
    Vec3::Map(&put[At::kFrame + 3 * k]) = axis_of(frame.axes, static_cast<int>(k));
  }
  for_each_side(rows, contact, [&](std::int32_t side, std::size_t) {
    Vec3::Map(&put[At::kArms + 3 * side]) = frame.arm(side);
  });
  put_local(of, contact, &put[At::kLocal]);
  return put;
}

std::array<double, RowContact::kNumbers> row_numbers(const NumberedRows& of, std::size_t contact) {
  using At = RowContact;
  const PairRows& rows = of.rows;
  const std::size_t n_rows = rows.n_rows(contact);
  const double unit = std::sqrt(of.impulse_unit);
  std::array<double, At::kNumbers> put{};
  double* to = &put[At::kRows];
  for_each_block(rows, contact, [&](const double* block, std::size_t) {
    std::transform(block, block + 6 * n_rows, to, [unit](double x) { return unit * x; });
    to += 18;
  });
  put_local(of, contact, &put[At::kLocal]);
  return put;
}

}  // namespace scree
