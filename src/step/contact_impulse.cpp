#include "contact_impulse.hpp"

#include <algorithm>
#include <array>

namespace scree {
namespace {

using Axes = std::array<const Vec3*, 3>;

Axes force_axes(const Contact& contact) {
  return {&contact.normal, &contact.tangent1, &contact.tangent2};
}
Axes moment_axes(const Contact& contact) {
  return {&contact.tangent1, &contact.tangent2, &contact.normal};
}

/// sum_k x_k axis_k
Vec3 combine(const Axes& axes, std::span<const double> x) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * *axes[k];
  return sum;
}

/// How many of the rows of a cone are forces; the rest are moments.
std::size_t n_force_rows(std::size_t n_rows) {
  return std::min(n_rows, Axes{}.size());
}

}  // namespace

std::span<const double> impulse_rows(const Cones& cones, std::size_t i,
                                     std::span<const double> lambda) {
  return lambda.subspan(cones.row(i), cones.dim(i));
}

double length_of(const ContactProblem& problem, std::size_t i) {
  return problem.rolling_length.empty() ? 0.0 : problem.rolling_length[i];
}

Vec3 world_impulse(const Contact& contact, std::span<const double> rows) {
  return combine(force_axes(contact), rows.first(n_force_rows(rows.size())));
}

Vec3 world_moment(const Contact& contact, std::span<const double> rows, double length) {
  return length * combine(moment_axes(contact), rows.subspan(n_force_rows(rows.size())));
}

void in_contact_frame(const Contact& contact, const Vec3& impulse, const Vec3& moment,
                      double length, std::span<double> rows) {
  const std::size_t n_forces = n_force_rows(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k] = k < n_forces ? impulse.dot(*force_axes(contact)[k])
                           : moment.dot(*moment_axes(contact)[k - n_forces]) / length;
  }
}

}  // namespace scree
