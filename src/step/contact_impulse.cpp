#include "contact_impulse.hpp"

namespace scree {

Vec3 world_moment(const Contact& contact, std::span<const double> rows, double length) {
  Vec3 moment = Vec3::Zero();
  const ContactFrame frame = contact.frame();
  for (std::size_t k = kForceRows; k < rows.size(); ++k) {
    moment += length * rows[k] * axis_of(frame, static_cast<int>(k));
  }
  return moment;
}

void write_moment(const Contact& contact, const Vec3& moment, double length,
                  std::span<double> rows) {
  const ContactFrame frame = contact.frame();
  for (std::size_t k = kForceRows; k < rows.size(); ++k) {
    rows[k] = moment.dot(axis_of(frame, static_cast<int>(k))) / length;
  }
}

}  // namespace scree
