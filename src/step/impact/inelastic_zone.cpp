#include "inelastic_zone.hpp"

#include <algorithm>
#include <utility>

#include "scree/impact/resolve_impacts.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/driver.hpp"

namespace scree {
namespace {

/// Up to here dense algebra is exact, and as fast.
constexpr std::size_t kFewContacts = 100;
/// Relative tolerance of the solvers: what they leave approaching is the step's own problem to
/// meet.
constexpr double kTolerance = 1e-8;

void append_contact(const ImpactContact& contact, BlockRows& blocks, Cones& cones) {
  cones.append(cones::HalfLine{});
  blocks.pattern.place.push_back(blocks.jacobian.size());
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.body[side] < 0) continue;
    const auto normal = contact.rows[side].row(0);
    blocks.jacobian.insert(blocks.jacobian.end(), normal.begin(), normal.end());
    blocks.pattern.body.push_back(contact.body[side]);
  }
  blocks.pattern.first.push_back(static_cast<std::int32_t>(blocks.pattern.body.size()));
}

petsc::Vector vector_of(std::span<const double> values) {
  petsc::Vector v = petsc::make_vector(PETSC_COMM_SELF, values.size());
  to_vec(values, v.get());
  return v;
}

ContactProblem problem_of(const ImpactProblem& zone) {
  BlockRows blocks;
  std::vector<double> v;
  for (const ImpactBody& body : zone.bodies) {
    blocks.inverse_mass.push_back(body.inverse_mass);
    v.insert(v.end(), body.velocity.begin(), body.velocity.end());
  }
  blocks.pattern.n_owned = static_cast<std::int32_t>(zone.bodies.size());
  blocks.diagonal_masses = all_diagonal(blocks.inverse_mass);
  ContactProblem problem;
  problem.comm = PETSC_COMM_SELF;
  problem.origin = "impact " + name_of(zone);
  std::vector<double> r;
  const ImpactVelocities velocities = velocities_of(zone);
  for (const ImpactContact& contact : zone.contacts) {
    append_contact(contact, blocks, problem.cones);
    r.push_back(contact_velocity(contact, velocities)[0]);
  }
  problem.delassus.blocks = std::make_shared<const BlockRows>(std::move(blocks));
  problem.v_free = vector_of(v);
  problem.r = vector_of(r);
  return problem;
}

/// The share of @p impulse at which the energy is least, 1 for a solution: -lambda . r / lambda . N
/// lambda.
double least_energy_share(const ContactProblem& problem, Vec impulse) {
  const petsc::Vector change = petsc::duplicate(impulse);
  DelassusProduct(problem).apply(impulse, change.get());
  double along = 0.0;
  double square = 0.0;
  SCREE_PETSC(VecDot(impulse, problem.r.get(), &along));
  SCREE_PETSC(VecDot(impulse, change.get(), &square));
  return square > 0.0 ? std::max(-along / square, 0.0) : 0.0;
}

}  // namespace

std::vector<double> inelastic_zone(const ImpactProblem& zone) {
  if (zone.contacts.size() <= kFewContacts) return inelastic_impulses(zone);
  const ContactProblem problem = problem_of(zone);
  SolverOptions options;
  options.stop.tolerance = kTolerance;
  const petsc::Vector impulse = petsc::duplicate(problem.r.get());
  SolverDriver(options).solve(problem, impulse.get());
  SCREE_PETSC(VecScale(impulse.get(), least_energy_share(problem, impulse.get())));
  return to_rows(impulse.get());
}

}  // namespace scree
