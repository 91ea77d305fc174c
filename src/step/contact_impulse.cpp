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
  if (rows.size() == 1) return impulse;
  const ContactFrame frame = contact.frame();
  impulse += rows[1] * frame.tangent1;
  if (rows.size() > 2) impulse += rows[2] * frame.tangent2;
  return impulse;
}

Vec3 world_moment(const Contact& contact, std::span<const double> rows, double length) {
  Vec3 moment = Vec3::Zero();
  const ContactFrame frame = contact.frame();
  for (std::size_t k = kForceRows; k < rows.size(); ++k) {
    moment += length * rows[k] * axis_of(frame, static_cast<int>(k));
  }
  return moment;
}

ContactImpulse impulse_of(const ContactProblem& problem, const Contact& contact, std::size_t i,
                          std::span<const double> lambda) {
  const std::span<const double> rows = impulse_rows(problem.cones, i, lambda);
  ContactImpulse impulse{.normal = rows[0], .linear = world_impulse(contact, rows)};
  if (rows.size() > kForceRows) {
    impulse.angular = world_moment(contact, rows, length_of(problem, i));
  }
  return impulse;
}

double normal_softness(const ContactProblem& problem, std::size_t i) {
  return problem.compliance_of(problem.cones.row(i));
}

void write_moment(const Contact& contact, const Vec3& moment, double length,
                  std::span<double> rows) {
  const ContactFrame frame = contact.frame();
  for (std::size_t k = kForceRows; k < rows.size(); ++k) {
    rows[k] = moment.dot(axis_of(frame, static_cast<int>(k))) / length;
  }
}

}  // namespace scree
