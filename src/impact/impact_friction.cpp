#include "impact_friction.hpp"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree {
namespace {

constexpr double kShare =
    1e-8;  // of all that friction could dissipate: a sweep below it is the last

using TangentColumns = Eigen::Matrix<double, 6, 2>;

/// Sweeps over those alone that still dissipate, from one over all contacts to the next.
constexpr int kBetween = 4;

/// A contact that can rub: all that its visits read.
struct Rubbing {
  std::size_t contact;
  double radius;                           ///< mu lambda, N s
  Eigen::Vector2d bias;                    ///< of walls and held degrees of freedom, m/s
  std::array<Eigen::Index, 2> place;       ///< of its bodies' six entries in y; -1: none
  std::array<TangentColumns, 2> tangents;  ///< S^T rows^T of each body
  Eigen::Matrix2d inertia;                 ///< D: tangent rows on M^-1, 1/kg
  DiscMinimum minimum;
};

Rubbing rubbing(const ImpactProblem& problem, const EnergySpace& space, std::size_t i,
                double radius) {
  const ImpactContact& contact = problem.contacts[i];
  std::array<Eigen::Index, 2> place{-1, -1};
  std::array<TangentColumns, 2> tangents;
  Eigen::Matrix2d inertia = Eigen::Matrix2d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.body[side] < 0) continue;
    const MassRoot& root = space.roots[static_cast<std::size_t>(contact.body[side])];
    place[side] = 6 * static_cast<Eigen::Index>(contact.body[side]);
    tangents[side] = root.values.asDiagonal() * root.vectors.transpose() *
                     contact.rows[side].bottomRows<2>().transpose();
    inertia += tangents[side].transpose() * tangents[side];
  }
  const Eigen::Vector2d bias = contact_velocity(contact, space.held).tail<2>();
  return {i, radius, bias, place, tangents, inertia, DiscMinimum(inertia)};
}

std::vector<Rubbing> rubbing_contacts(const ImpactProblem& problem, const EnergySpace& space,
                                      const Eigen::VectorXd& normal) {
  std::vector<Rubbing> found;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double radius = problem.contacts[i].friction * normal[static_cast<Eigen::Index>(i)];
    if (radius > 0.0) found.push_back(rubbing(problem, space, i, radius));
  }
  return found;
}

Eigen::Vector2d sliding(const Rubbing& at, const Eigen::VectorXd& y) {
  Eigen::Vector2d u = at.bias;
  for (std::size_t side = 0; side < 2; ++side) {
    if (at.place[side] < 0) continue;
    u.noalias() += at.tangents[side].transpose() * y.segment<6>(at.place[side]);
  }
  return u;
}

/// The exact minimum over one disc. @returns what it dissipates, J.
double rub(const Rubbing& at, Eigen::Vector2d& impulse, Eigen::VectorXd& y) {
  const Eigen::Vector2d u = sliding(at, y);
  const Eigen::Vector2d next = at.minimum(u - at.inertia * impulse, at.radius);
  const Eigen::Vector2d change = next - impulse;
  impulse = next;
  for (std::size_t side = 0; side < 2; ++side) {
    if (at.place[side] >= 0) {
      y.segment<6>(at.place[side]).noalias() += at.tangents[side] * change;
    }
  }
  return -change.dot(u + 0.5 * at.inertia * change);
}

/// Sweeps over contacts, and what they dissipate.
class Sweeps {
 public:
  Sweeps(const std::vector<Rubbing>& contacts, Eigen::VectorXd& y, FrictionOutcome& outcome)
      : contacts_(contacts), y_(y), outcome_(outcome) {}

  /// @returns what is dissipated, J; @p busy those of @p visited that dissipate more than @p each.
  double run(const std::vector<std::int32_t>& visited, double each,
             std::vector<std::int32_t>& busy) {
    double sum = 0.0;
    busy.clear();
    for (const std::int32_t k : visited) {
      const Rubbing& at = contacts_[static_cast<std::size_t>(k)];
      const double dissipated = rub(at, outcome_.impulse[at.contact], y_);
      if (dissipated > each) busy.push_back(k);
      sum += dissipated;
    }
    outcome_.dissipated += sum;
    ++outcome_.sweeps;
    return sum;
  }

 private:
  const std::vector<Rubbing>& contacts_;
  Eigen::VectorXd& y_;
  FrictionOutcome& outcome_;
};

}  // namespace

DiscMinimum::DiscMinimum(const Eigen::Matrix2d& d) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> modes(d);
  const double held = 1e-14 * modes.eigenvalues().maxCoeff();
  vectors_ = modes.eigenvectors();
  values_ = (modes.eigenvalues().array() > held).select(modes.eigenvalues(), 0.0);
}

Eigen::Vector2d DiscMinimum::operator()(const Eigen::Vector2d& b, double radius) const {
  const Eigen::Vector2d c = -(vectors_.transpose() * b);
  const auto at = [&](double shift) {
    Eigen::Vector2d f;
    for (int k = 0; k < 2; ++k) f[k] = values_[k] > 0.0 ? c[k] / (values_[k] + shift) : 0.0;
    return f;
  };
  double shift = 0.0;
  Eigen::Vector2d f = at(shift);
  // Newton's method on 1/|f(shift)| = 1/radius, which is concave: it comes from the left and stays
  // there.
  for (int step = 0; f.norm() > radius && step < 100; ++step) {
    double slope = 0.0;
    for (int k = 0; k < 2; ++k) {
      if (values_[k] > 0.0) slope += f[k] * f[k] / (values_[k] + shift);
    }
    const double next = shift + f.squaredNorm() / slope * (f.norm() - radius) / radius;
    if (next <= shift) break;
    shift = next;
    f = at(shift);
  }
  if (f.norm() > radius) f *= radius / f.norm();
  return vectors_ * f;
}

FrictionOutcome apply_friction(const ImpactProblem& problem, const EnergySpace& space,
                               const Eigen::VectorXd& normal, Eigen::VectorXd& y) {
  FrictionOutcome outcome;
  outcome.impulse.assign(problem.contacts.size(), Eigen::Vector2d::Zero());
  const std::vector<Rubbing> contacts = rubbing_contacts(problem, space, normal);
  double most = 0.0;
  for (const Rubbing& at : contacts) most += at.radius * sliding(at, y).norm();
  if (most == 0.0) return outcome;
  std::vector<std::int32_t> all(contacts.size());
  std::iota(all.begin(), all.end(), 0);
  const double small = kShare * most;
  const double each = small / static_cast<double>(contacts.size());
  Sweeps sweeps(contacts, y, outcome);
  std::vector<std::int32_t> busy;
  std::vector<std::int32_t> still_busy;
  while (sweeps.run(all, each, busy) > small) {
    for (int k = 0; k < kBetween && sweeps.run(busy, each, still_busy) > small; ++k) {
      std::swap(busy, still_busy);
    }
  }
  return outcome;
}

}  // namespace scree
