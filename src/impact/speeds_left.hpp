#pragma once

/// Speeds of contacts that an inelastic outcome (inelastic_outcome.hpp) leaves, and the impulses
/// that leave them.

#include <Eigen/Core>

#include "approaching_contacts.hpp"

namespace scree {

/// Speeds of contacts, sqrt(J), up to which none is visited.
struct SpeedsLeft {
  /// Share of what rests that contacts with an impulse may keep of their speed. With 0.1 the front
  /// of an impact stood still amid one bed of scripts/bench/impact, and 3e-3 of the energy were
  /// wrong (by hand).
  static constexpr double kPressedShare = 0.01;

  Eigen::VectorXd idle;     ///< of contacts without an impulse
  Eigen::VectorXd pressed;  ///< of the others

  /// @p each of every contact at the least. @param resting approaches that are left; empty: none.
  SpeedsLeft(const Eigen::VectorXd& resting, double each, Eigen::Index n)
      : idle(thresholds_of(resting, each, n)),
        pressed(thresholds_of(kPressedShare * resting, each, n)) {}
  double of(Eigen::Index i, double impulse) const { return impulse == 0.0 ? idle[i] : pressed[i]; }
};

struct FoundImpulses {
  Eigen::VectorXd sizes;  ///< sqrt(J)
  bool settled = false;   ///< whether they leave no more than they were to
};

}  // namespace scree
