#include "contact_impulse.hpp"

#include "scree/problem/frames.hpp"

namespace scree {

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

ContactImpulse impulse_of(const ContactSpan& rows, const Contact& contact, std::size_t i,
                          std::span<const double> lambda) {
  const std::span<const double> own = rows.of(i, lambda);
  ContactImpulse impulse{.normal = own[0], .linear = world_impulse(contact, own)};
  if (own.size() > kForceRows) impulse.angular = world_moment(contact, own, rows.length(i));
  return impulse;
}

void write_moment(const Contact& contact, const Vec3& moment, double length,
                  std::span<double> rows) {
  const ContactFrame frame = contact.frame();
  for (std::size_t k = kForceRows; k < rows.size(); ++k) {
    rows[k] = moment.dot(axis_of(frame, static_cast<int>(k))) / length;
  }
}

}  // namespace scree
