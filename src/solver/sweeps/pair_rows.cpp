#include "pair_rows.hpp"

namespace scree {

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
