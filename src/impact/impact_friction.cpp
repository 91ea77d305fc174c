#include "impact_friction.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace scree {
namespace {

constexpr double kShare =
    1e-8;  // of all that friction could dissipate: a sweep below it is the last

/// A contact that can rub.
struct Rubbing {
  std::size_t contact;
  double radius;            ///< mu lambda, N s
  Eigen::Matrix2d inertia;  ///< D: tangent rows on M^-1, 1/kg
};

Eigen::Matrix2d tangent_block(const ImpactProblem& problem, const ImpactContact& contact) {
  Eigen::Matrix2d d = Eigen::Matrix2d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.body[side] < 0) continue;
    const auto rows = contact.rows[side].bottomRows<2>();
    const Mat6& inverse_mass =
        problem.bodies[static_cast<std::size_t>(contact.body[side])].inverse_mass;
    d += rows * inverse_mass * rows.transpose();
  }
  return d;
}

std::vector<Rubbing> rubbing_contacts(const ImpactProblem& problem,
                                      const std::vector<double>& normal) {
  std::vector<Rubbing> rubbing;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double radius = problem.contacts[i].friction * normal[i];
    if (radius <= 0.0) continue;
    rubbing.push_back({i, radius, tangent_block(problem, problem.contacts[i])});
  }
  return rubbing;
}

/// The exact minimum over one disc. @returns what it dissipates, J.
double rub(const ImpactProblem& problem, const Rubbing& at, Eigen::Vector2d& impulse,
           ImpactVelocities& velocities) {
  const ImpactContact& contact = problem.contacts[at.contact];
  const Eigen::Vector2d u = contact_velocity(contact, velocities).tail<2>();
  const Eigen::Vector2d next = minimum_on_disc(at.inertia, u - at.inertia * impulse, at.radius);
  const Eigen::Vector2d change = next - impulse;
  impulse = next;
  add_impulse(problem, contact, Vec3(0.0, change[0], change[1]), velocities);
  return -change.dot(u + 0.5 * at.inertia * change);
}

}  // namespace

Eigen::Vector2d minimum_on_disc(const Eigen::Matrix2d& d, const Eigen::Vector2d& b, double radius) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> modes(d);
  const Eigen::Vector2d c = -(modes.eigenvectors().transpose() * b);
  const Eigen::Vector2d& values = modes.eigenvalues();
  const double held = 1e-14 * values.maxCoeff();  // modes that cannot move carry no impulse
  const auto at = [&](double shift) {
    Eigen::Vector2d f;
    for (int k = 0; k < 2; ++k) f[k] = values[k] > held ? c[k] / (values[k] + shift) : 0.0;
    return f;
  };
  double shift = 0.0;
  Eigen::Vector2d f = at(shift);
  // Newton's method on 1/|f(shift)| = 1/radius, which is concave: it comes from the left and stays
  // there.
  for (int step = 0; f.norm() > radius && step < 100; ++step) {
    double slope = 0.0;
    for (int k = 0; k < 2; ++k) {
      if (values[k] > held) slope += f[k] * f[k] / (values[k] + shift);
    }
    const double next = shift + f.squaredNorm() / slope * (f.norm() - radius) / radius;
    if (next <= shift) break;
    shift = next;
    f = at(shift);
  }
  if (f.norm() > radius) f *= radius / f.norm();
  return modes.eigenvectors() * f;
}

FrictionOutcome apply_friction(const ImpactProblem& problem, const std::vector<double>& normal,
                               ImpactVelocities& velocities) {
  FrictionOutcome outcome;
  outcome.impulse.assign(problem.contacts.size(), Eigen::Vector2d::Zero());
  const std::vector<Rubbing> rubbing = rubbing_contacts(problem, normal);
  double most = 0.0;
  for (const Rubbing& at : rubbing) {
    most += at.radius * contact_velocity(problem.contacts[at.contact], velocities).tail<2>().norm();
  }
  for (double dissipated = most; dissipated > kShare * most;) {
    dissipated = 0.0;
    for (const Rubbing& at : rubbing) {
      dissipated += rub(problem, at, outcome.impulse[at.contact], velocities);
    }
    outcome.dissipated += dissipated;
    ++outcome.sweeps;
  }
  return outcome;
}

}  // namespace scree
