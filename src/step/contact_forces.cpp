#include "scree/step/contact_forces.hpp"

#include "contact_impulse.hpp"

namespace scree {
namespace {

/// Whether impulses move the centre of a local body of the problem in any direction.
bool moves(const BlockRows& blocks, std::int32_t body) {
  const Mat6& inverse_mass = blocks.inverse_mass[body];
  return !inverse_mass.topLeftCorner<3, 3>().isZero(0.0);
}

}  // namespace

std::vector<ContactForce> contact_forces(const StepResult& step) {
  const ContactSpan rows = step.formulated.contact_rows();
  const BlockRows& blocks = *step.formulated.problem.delassus.blocks;
  const petsc::ConstView impulses(step.impact.total_impulse());
  std::vector<ContactForce> forces;
  forces.reserve(step.contacts.size());
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const Contact& contact = step.contacts[i];
    const ContactImpulse total = impulse_of(rows, contact, i, impulses.span());
    const Vec3 impulse = total.linear - step.formulated.terms[i].pull * contact.normal;
    const auto [local_a, local_b] = bodies_of_frame(blocks.pattern, i);
    const PlacedBody& a = step.at_start[contact.a];
    const PlacedBody& b = step.at_start[contact.b];
    const Vec3 point = a.centre + contact.arm_a;
    const bool is_with_grain = contact.key.id_b < kFirstToolId;
    forces.push_back({.force = impulse / step.clock.dt,
                      .point = point,
                      .centre_a = point - contact.arm_a,
                      .centre_b = point - contact.arm_b,
                      .moves_a = moves(blocks, local_a),
                      .moves_b = is_with_grain && moves(blocks, local_b),
                      .kind_a = a.kind,
                      .kind_b = b.kind});
  }
  return forces;
}

std::vector<PlacedBody> placed_bodies(const Store& bodies) {
  std::vector<PlacedBody> places;
  places.reserve(bodies.id.size());
  for (std::int32_t slot = 0; slot < bodies.size(); ++slot) {
    places.push_back({bodies.id[slot],
                      bodies.position[slot],
                      {bodies.is_tool(slot), bodies.group[slot], bodies.material[slot]}});
  }
  return places;
}

}  // namespace scree
