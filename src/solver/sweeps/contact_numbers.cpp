#include "contact_numbers.hpp"

#include <array>
#include <numeric>

#include "point_block.hpp"

namespace scree {
namespace {

/// The sum of N_nn over the contacts, which have rows.
double sum_of_row_normals(const PairRows& rows) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    for_each_block(rows, i, [&](const double* block, std::size_t) {
      sum += std::inner_product(block, block + 6, block, 0.0);
    });
  }
  return sum;
}

/// The sum over contacts of spheres, whose normals pass through their centres.
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
  const double sum = rows.form == PairForm::spheres  ? sum_of_sphere_normals(rows)
                     : rows.form == PairForm::points ? sum_of_point_normals(rows)
                                                     : sum_of_row_normals(rows);
  return sum > 0.0 ? static_cast<double>(rows.n_contacts()) / sum : 1.0;
}

}  // namespace scree
