#include "contact_results.hpp"

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

Triple in_world(const Triple& normal, const Triple& rows) {
  const Tangents t = tangents_of(normal.x, normal.y, normal.z);
  return rows.x * normal + rows.y * Triple{t.x1, t.y1, t.z1} + rows.z * Triple{t.x2, t.y2, t.z2};
}

}  // namespace

void ImpulseBlock::take(const ContactSpan& rows, const ListedBlock& block,
                        std::span<const double> lambda) {
  has_moments_ = false;
  Triples forces{};  // rows of forces, zero where a cone has none
  run_by(instructions(), [&] {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::span<const double> own = rows.of(block.first + i, lambda);
      forces.x[i] = own[0];
      if (own.size() > 1) forces.y[i] = own[1];
      if (own.size() > 2) forces.z[i] = own[2];
      has_moments_ = has_moments_ || own.size() > kForceRows;
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
      linear_.set(i, in_world(block.frames.normal[i], forces[i]));
    }
  });
  normal_ = forces.x;
  if (!has_moments_) return;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::size_t number = block.first + i;
    angular_.set(i, world_moment(block.contacts[i], rows.of(number, lambda), rows.length(number)));
  }
}

}  // namespace scree
