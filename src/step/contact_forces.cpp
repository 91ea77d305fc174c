#include "scree/step/contact_forces.hpp"

#include "contact_impulse.hpp"

namespace scree {
namespace {

/// Whether impulses move the centre of a body of the problem in any direction.
bool moves(const BlockRows& blocks, std::int32_t entry) {
  const Mat6& inverse_mass = blocks.inverse_mass[blocks.pattern.body[entry]];
  return !inverse_mass.topLeftCorner<3, 3>().isZero(0.0);
}

BodyKind kind_of(const Store& bodies, std::int32_t slot) {
  return {bodies.is_tool(slot), bodies.group[slot], bodies.material[slot]};
}

}  // namespace

std::vector<ContactForce> contact_forces(const StepResult& step) {
  const ContactProblem& problem = step.formulated.problem;
  const BlockRows& blocks = *problem.delassus.blocks;
  const petsc::ConstView impulses(step.impact.total_impulse());
  std::vector<ContactForce> forces;
  forces.reserve(step.contacts.size());
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const Contact& contact = step.contacts[i];
    const std::span<const double> rows = impulse_rows(problem.cones, i, impulses.span());
    const Vec3 impulse =
        world_impulse(contact, rows) - step.formulated.terms[i].pull * contact.normal;
    const Vec3& point = step.contact_points[i];
    const bool is_with_grain = contact.key.id_b < kFirstToolId;
    forces.push_back({.force = impulse / step.clock.dt,
                      .point = point,
                      .centre_a = point - contact.arm_a,
                      .centre_b = point - contact.arm_b,
                      .moves_a = moves(blocks, blocks.pattern.first[i]),
                      .moves_b = is_with_grain && moves(blocks, blocks.pattern.first[i + 1] - 1),
                      .kind_a = step.contact_kinds[i].a,
                      .kind_b = step.contact_kinds[i].b});
  }
  return forces;
}

std::vector<Vec3> points_of(const Store& bodies, std::span<const Contact> contacts) {
  std::vector<Vec3> points;
  points.reserve(contacts.size());
  for (const Contact& contact : contacts) {
    points.push_back(bodies.position[contact.a] + contact.arm_a);
  }
  return points;
}

std::vector<ContactKinds> kinds_of(const Store& bodies, std::span<const Contact> contacts) {
  std::vector<ContactKinds> kinds;
  kinds.reserve(contacts.size());
  for (const Contact& contact : contacts) {
    kinds.push_back({kind_of(bodies, contact.a), kind_of(bodies, contact.b)});
  }
  return kinds;
}

}  // namespace scree
