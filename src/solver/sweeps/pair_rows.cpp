#include "pair_rows.hpp"

#include <algorithm>

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// The numbers of the two bodies of contact @p i among @p w; null where there is none.
template <class Value>
std::array<Value*, 2> bodies_of(const PairRows& rows, std::size_t i, Value* w) {
  std::array<Value*, 2> bodies{};
  for_each_side(rows, i, [&](std::int32_t side, std::size_t body) { bodies[side] = w + 6 * body; });
  return bodies;
}

void add_impulse_of_frame(const PairRows& rows, std::size_t i, const double* l, double* w) {
  const Contact& contact = rows.frames[i];
  const auto [a, b] = bodies_of(rows, i, w);
  add_impulse(contact, impulse_of_frame(rows, i, l, rows.length_of(i)), a, b);
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

void add_velocity_of_frame(const PairRows& rows, std::size_t i, const double* w, double* u) {
  const Contact& contact = rows.frames[i];
  const auto [a, b] = bodies_of(rows, i, w);
  const Screw velocity = relative_motion(contact, a, b);
  const int n_rows = static_cast<int>(rows.n_rows(i));
  for (int k = 0; k < std::min(n_rows, kForceRows); ++k) {
    u[k] += axis_of(contact, k).dot(velocity.linear);
  }
  for (int k = kForceRows; k < n_rows; ++k) {
    u[k] += rows.length_of(i) * axis_of(contact, k).dot(velocity.angular);
  }
}

void add_velocity_of_blocks(const PairRows& rows, std::size_t i, const double* w, double* u) {
  for_each_block(rows, i, [&](const double* block, std::size_t body) {
    const double* own = w + 6 * body;
    for (std::size_t k = 0; k < rows.n_rows(i); ++k) {
      const double* x = block + 6 * k;
      u[k] += (x[0] * own[0] + x[1] * own[1] + x[2] * own[2]) +
              (x[3] * own[3] + x[4] * own[4] + x[5] * own[5]);
    }
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
    if (rows.frames.empty())
      return add_all([](const auto&... of) { add_impulse_of_blocks(of...); });
    add_all([](const auto&... of) { add_impulse_of_frame(of...); });
  });
}

void contact_velocities(const PairRows& rows, std::span<const double> lambda,
                        std::span<const double> w, std::span<double> u) {
  const auto add_all = [&](const auto& add) {
    for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
      const std::size_t row = rows.row(i);
      for (std::size_t k = row; k < row + rows.n_rows(i); ++k) {
        u[k] = rows.velocity[k] + rows.compliance_of(k) * lambda[k];
      }
      add(rows, i, w.data(), u.data() + row);
    }
  };
  run_by(instructions(), [&] {
    if (rows.frames.empty())
      return add_all([](const auto&... of) { add_velocity_of_blocks(of...); });
    add_all([](const auto&... of) { add_velocity_of_frame(of...); });
  });
}

}  // namespace scree
