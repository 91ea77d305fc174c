#include "scree/impact/impact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree {
namespace {

/// Calls `visit(body index, rows)` for the bodies of a contact.
template <class Visit>
void for_each_body(const ImpactContact& contact, Visit&& visit) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.body[side] < 0) continue;
    visit(static_cast<std::size_t>(contact.body[side]), contact.rows[side]);
  }
}

}  // namespace

ImpactVelocities velocities_of(const ImpactProblem& problem) {
  ImpactVelocities velocities;
  velocities.reserve(problem.bodies.size());
  for (const ImpactBody& body : problem.bodies) velocities.push_back(body.velocity);
  return velocities;
}

Vec3 contact_velocity(const ImpactContact& contact, const ImpactVelocities& velocities) {
  Vec3 u = contact.bias;
  for_each_body(contact, [&](std::size_t b, const ImpactRows& rows) { u += rows * velocities[b]; });
  return u;
}

double normal_velocity(const ImpactContact& contact, const ImpactVelocities& velocities) {
  double u = contact.bias[0];
  for_each_body(
      contact, [&](std::size_t b, const ImpactRows& rows) { u += rows.row(0).dot(velocities[b]); });
  return u;
}

double inverse_reduced_mass(const ImpactProblem& problem, const ImpactContact& contact) {
  constexpr double kRounding = 1e-24;  // of lever arms that are zero but for rounding, squared
  double sum = 0.0;
  double size = 0.0;
  for_each_body(contact, [&](std::size_t b, const ImpactRows& rows) {
    const Mat6& inverse_mass = problem.bodies[b].inverse_mass;
    sum += rows.row(0) * inverse_mass * rows.row(0).transpose();
    size += rows.row(0).squaredNorm() * inverse_mass.trace();
  });
  return sum > kRounding * size ? sum : 0.0;
}

void add_impulse(const ImpactProblem& problem, const ImpactContact& contact, const Vec3& lambda,
                 ImpactVelocities& velocities) {
  for_each_body(contact, [&](std::size_t b, const ImpactRows& rows) {
    velocities[b] += problem.bodies[b].inverse_mass * (rows.transpose() * lambda);
  });
}

std::string name_of(const ImpactProblem& problem) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  const std::size_t shown = std::min(kNamed, problem.bodies.size());
  for (std::size_t b = 0; b < shown; ++b) {
    names += fmt::format("{}{}", b == 0 ? "" : ", ", problem.bodies[b].id);
  }
  const std::size_t others = problem.bodies.size() - shown;
  return fmt::format("of {} {}{} ({} contacts)", problem.bodies.size() == 1 ? "body" : "bodies",
                     names, others > 0 ? fmt::format(" and {} others", others) : "",
                     problem.contacts.size());
}

}  // namespace scree
