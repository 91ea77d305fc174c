#include "impact_friction.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree {
namespace {

constexpr double kShare =
    1e-8;  // of all that friction could dissipate: a sweep below it is the last
/// Eigenvalues of D apart by no more than this share of their sum are one: it is rounding.
constexpr double kRound = 1e-14;

/// Sweeps over those alone that still dissipate, from one over all contacts to the next.
constexpr int kBetween = 4;

/// T S of one body: two rows, so that products with y and their transposes run along them.
using TangentRows = Eigen::Matrix<double, 2, 6, Eigen::RowMajor>;

/// A contact that can rub: all that its visits read.
struct Rubbing {
  std::size_t contact;
  double radius;                        ///< mu lambda, N s
  Eigen::Vector2d bias;                 ///< of walls and held degrees of freedom, m/s
  std::array<Eigen::Index, 2> place;    ///< of its bodies' six entries in y, or of those of none
  std::array<TangentRows, 2> tangents;  ///< of each body
  Eigen::Matrix2d inertia;              ///< D: tangent rows on M^-1, 1/kg
  DiscMinimum minimum;
  double left;  ///< what a visit dissipates that is not worth another, J
};

/// @param none place of six zeros in y. @param left as of Rubbing
Rubbing rubbing(const ImpactProblem& problem, const EnergySpace& space, std::size_t i,
                double radius, Eigen::Index none, double left) {
  const ImpactContact& contact = problem.contacts[i];
  std::array<Eigen::Index, 2> place{none, none};
  std::array<TangentRows, 2> tangents{TangentRows::Zero(), TangentRows::Zero()};
  Eigen::Matrix2d inertia = Eigen::Matrix2d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.body[side] < 0) continue;
    const MassRoot& root = space.roots[static_cast<std::size_t>(contact.body[side])];
    place[side] = 6 * static_cast<Eigen::Index>(contact.body[side]);
    for (int k = 0; k < 2; ++k) {
      const Vec6 modes = root.modes_of(contact.rows[side].row(1 + k).transpose());
      tangents[side].row(k) = root.values.cwiseProduct(modes).transpose();
    }
    inertia += tangents[side] * tangents[side].transpose();
  }
  const Eigen::Vector2d bias = contact_velocity(contact, space.held).tail<2>();
  return {i, radius, bias, place, tangents, inertia, DiscMinimum(inertia), left};
}

std::vector<Rubbing> rubbing_contacts(const ImpactProblem& problem, const EnergySpace& space,
                                      const Eigen::VectorXd& normal, Eigen::Index none,
                                      const Eigen::VectorXd& resting) {
  std::vector<Rubbing> found;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double radius = problem.contacts[i].friction * normal[at];
    const double left = resting.size() > 0 ? 0.5 * resting[at] * resting[at] : 0.0;
    if (radius > 0.0) found.push_back(rubbing(problem, space, i, radius, none, left));
  }
  return found;
}

inline Eigen::Vector2d sliding(const Rubbing& at, const Eigen::VectorXd& y) {
  return at.bias + at.tangents[0] * y.segment<6>(at.place[0]) +
         at.tangents[1] * y.segment<6>(at.place[1]);
}

/// The exact minimum over one disc. @returns what it dissipates, J.
inline double rub(const Rubbing& at, Eigen::Vector2d& impulse, Eigen::VectorXd& y) {
  const Eigen::Vector2d u = sliding(at, y);
  const Eigen::Vector2d next = at.minimum(u - at.inertia * impulse, at.radius);
  const Eigen::Vector2d change = next - impulse;
  impulse = next;
  for (std::size_t side = 0; side < 2; ++side) {
    y.segment<6>(at.place[side]) += at.tangents[side].transpose() * change;
  }
  return -change.dot(u + 0.5 * at.inertia * change);
}

/// Sweeps over contacts, and what they dissipate.
class FrictionSweeps {
 public:
  /// @param y velocities, then room for those of no body.
  FrictionSweeps(const std::vector<Rubbing>& contacts, Eigen::VectorXd& y)
      : contacts_(contacts), y_(y), impulse_(contacts.size(), Eigen::Vector2d::Zero()) {}

  /// @returns what is dissipated, J; @p busy those of @p visited that dissipate more than @p each
  /// and what they leave.
  double run(const std::vector<std::int32_t>& visited, double each,
             std::vector<std::int32_t>& busy) {
    double sum = 0.0;
    busy.clear();
    for (const std::int32_t k : visited) {
      const Rubbing& at = contacts_[static_cast<std::size_t>(k)];
      const double dissipated = rub(at, impulse_[static_cast<std::size_t>(k)], y_);
      if (dissipated > std::max(each, at.left)) busy.push_back(k);
      sum += dissipated;
    }
    dissipated_ += sum;
    ++count_;
    return sum;
  }
  void give(FrictionOutcome& outcome) const {
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      outcome.impulse[contacts_[k].contact] = impulse_[k];
    }
    outcome.dissipated = dissipated_;
    outcome.sweeps = count_;
  }

 private:
  const std::vector<Rubbing>& contacts_;
  Eigen::VectorXd& y_;
  std::vector<Eigen::Vector2d> impulse_;  ///< of each contact
  double dissipated_ = 0.0;               ///< J
  std::int64_t count_ = 0;
};

}  // namespace

DiscMinimum::DiscMinimum(const Eigen::Matrix2d& d)
    : is_round_(std::hypot(d(0, 0) - d(1, 1), 2.0 * d(0, 1)) <= kRound * d.trace()),
      vectors_(Eigen::Matrix2d::Identity()),
      values_(Eigen::Vector2d::Constant(0.5 * d.trace())) {
  if (is_round_) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> modes(d);
  const double held = 1e-14 * modes.eigenvalues().maxCoeff();
  vectors_ = modes.eigenvectors();
  values_ = (modes.eigenvalues().array() > held).select(modes.eigenvalues(), 0.0);
}

Eigen::Vector2d DiscMinimum::within_ellipses(const Eigen::Vector2d& b, double radius) const {
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
                               const Eigen::VectorXd& normal, Eigen::VectorXd& y,
                               const Eigen::VectorXd& resting) {
  FrictionOutcome outcome;
  outcome.impulse.assign(problem.contacts.size(), Eigen::Vector2d::Zero());
  const Eigen::Index none = y.size();
  const std::vector<Rubbing> contacts = rubbing_contacts(problem, space, normal, none, resting);
  Eigen::VectorXd with_none(none + 6);
  with_none << y, Vec6::Zero();
  double most = 0.0;
  for (const Rubbing& at : contacts) most += at.radius * sliding(at, with_none).norm();
  if (most == 0.0) return outcome;
  std::vector<std::int32_t> all(contacts.size());
  std::iota(all.begin(), all.end(), 0);
  const double small = kShare * most;
  const double each = small / static_cast<double>(contacts.size());
  FrictionSweeps sweeps(contacts, with_none);
  std::vector<std::int32_t> busy;
  std::vector<std::int32_t> still_busy;
  while (sweeps.run(all, each, busy) > small && !busy.empty()) {
    for (int k = 0; k < kBetween && sweeps.run(busy, each, still_busy) > small; ++k) {
      std::swap(busy, still_busy);
    }
  }
  y = with_none.head(none);
  sweeps.give(outcome);
  return outcome;
}

}  // namespace scree
