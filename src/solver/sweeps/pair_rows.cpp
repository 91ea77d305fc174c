#include "pair_rows.hpp"

#include <algorithm>

#include "ruled_rows.hpp"
#include "scree/base/instructions.hpp"

namespace scree {
namespace {

void add_impulse_of_frame(const PairRows& rows, std::size_t i, const double* l, double* w) {
  const PairFrame frame = rows.frame(i);
  const Screw impulse = impulse_of_frame(rows, i, l, rows.length_of(i));
  for_each_side(rows, i, [&](std::int32_t side, std::size_t body) {
    const double sign = side == 0 ? 1.0 : -1.0;
    Vec3::Map(w + 6 * body) += sign * impulse.linear;
    Vec3::Map(w + 6 * body + 3) += sign * (frame.arm(side).cross(impulse.linear) + impulse.angular);
  });
}

void add_impulse_of_blocks(const PairRows& rows, std::size_t i, const double* l, double* w) {
  for_each_block(rows, i, [&](const double* block, std::size_t body) {
    std::array<double, 6> sum{};
    for (std::size_t k = 0; k < rows.n_rows(i); ++k) {
      for (std::size_t d = 0; d < 6; ++d) sum[d] += block[6 * k + d] * l[k];
    }
    for (std::size_t d = 0; d < 6; ++d) w[6 * body + d] += sum[d];
  });
}

}  // namespace

void add_impulses(const PairRows& rows, std::span<const double> lambda, std::vector<double>& w) {
  const auto add_all = [&](const auto& add) {
    for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
      add(rows, i, lambda.data() + rows.row(i), w.data());
    }
  };
  run_by(instructions(), [&] {
    if (!rows.has_frames()) return add_all([](const auto&... of) { add_impulse_of_blocks(of...); });
    add_all([](const auto&... of) { add_impulse_of_frame(of...); });
  });
  if (rows.ruled != nullptr) rows.ruled->add_impulses(rows.ruled->among(lambda), w);
}

}  // namespace scree
