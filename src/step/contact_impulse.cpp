#include "contact_impulse.hpp"

#include "scree/problem/frames.hpp"

namespace scree {
std::span<const double> impulse_rows(const Cones& cones, std::size_t i,
                                     std::span<const double> lambda) {
  return lambda.subspan(cones.row(i), cones.dim(i));
}

double length_of(const ContactProblem& problem, std::size_t i) {
  return problem.rolling_length.empty() ? 0.0 : problem.rolling_length[i];
}

Vec3 world_impulse(const Contact& contact, std::span<const double> rows) {
  Vec3 impulse = rows[0] * contact.normal;
  if (rows.size() > 1) impulse += rows[1] * contact.tangent1;
  if (rows.size() > 2) impulse += rows[2] * contact.tangent2;
  return impulse;
}

Vec3 world_moment(const Contact& contact, std::span<const double> rows, double length) {
  Vec3 moment = Vec3::Zero();
  for (std::size_t k = kForceRows; k < rows.size(); ++k) {
    moment += length * rows[k] * axis_of(contact, static_cast<int>(k));
  }
  return moment;
}

void in_contact_frame(const Contact& contact, const Vec3& impulse, const Vec3& moment,
                      double length, std::span<double> rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Vec3& axis = axis_of(contact, static_cast<int>(k));
    rows[k] = k < kForceRows ? impulse.dot(axis) : moment.dot(axis) / length;
  }
}

}  // namespace scree
