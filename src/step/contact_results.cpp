#include "contact_results.hpp"

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// Impulses of a block in the frames of its contacts: the rows of forces, zero where a cone has
/// none and behind the last contact.
struct FramedBlock {
  Triples normal{};
  Triples rows{};
};

Triple in_world(const Triple& normal, const Triple& rows) {
  const Tangents t = tangents_of(normal.x, normal.y, normal.z);
  return rows.x * normal + rows.y * Triple{t.x1, t.y1, t.z1} + rows.z * Triple{t.x2, t.y2, t.z2};
}

}  // namespace

void ImpulseBlock::take(const ContactSpan& rows, ContactView contacts, std::size_t first,
                        std::span<const double> lambda) {
  FramedBlock framed;
  has_moments_ = false;
  run_by(instructions(), [&] {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const std::span<const double> own = rows.of(first + i, lambda);
      framed.normal.set(i, contacts.normal(i));
      framed.rows.set(i,
                      Triple{own[0], own.size() > 1 ? own[1] : 0.0, own.size() > 2 ? own[2] : 0.0});
      has_moments_ = has_moments_ || own.size() > kForceRows;
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
      normal_[i] = framed.rows.x[i];
      linear_.set(i, in_world(framed.normal[i], framed.rows[i]));
    }
  });
  if (!has_moments_) return;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    angular_.set(i, world_moment(contacts[i], rows.of(first + i, lambda), rows.length(first + i)));
  }
}

}  // namespace scree
