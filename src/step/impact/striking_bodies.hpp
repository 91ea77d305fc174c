#pragma once

/// The velocities with which bodies strike in a step, and how its contacts see them.
///
///     w = (v^0 + v_free) / 2,      u = J w + bias,      bias = what tools move
///
/// Impacts act halfway through what forces give in a step, and v_free gets what they change:
///
///     v_free' = R(w) + (v_free - v^0) / 2,      R: the impacts
///
/// v^0 is what the step would give without forces: v^-, but for the spin, which a body changes by
/// itself at an energy that does not grow (inertial_spin()); half of that change would not keep it.
///
/// Under a constant force the step is x += dt v_free, v = v_free, which keeps |w|^2/2 + g x: so a
/// bounce that keeps |w| keeps this, and a ball bounces to the same height for ever, where an
/// impact at v^- would take 2 g dt/|v| of its energy each time.
///
/// | symbol | meaning                                       | unit |
/// | ---    | ---                                           | ---  |
/// | v^0    | FormulatedStep::v_before                           | m/s  |
/// | w      | velocity before the impacts, then after them  | m/s  |
/// | u      | of a contact, contact frame, normal first     | m/s  |

#include <cstdint>
#include <vector>

#include "scree/problem/assemble.hpp"

namespace scree {

class StrikingBodies {
 public:
  /// Collective. @param step must outlive this.
  explicit StrikingBodies(const FormulatedStep& step);

  /// The velocity w of a local body (problem/block_rows.hpp). Not collective.
  Vec6 velocity(std::int32_t body) const {
    return Vec6::Map(&velocity_[kBodyDofs * static_cast<std::size_t>(body)]);
  }
  /// Sets that of an own body. Ghosts have it after share(). Not collective.
  void set_velocity(std::int32_t body, const Vec6& velocity) {
    Vec6::Map(&velocity_[kBodyDofs * static_cast<std::size_t>(body)]) = velocity;
  }
  /// Gives ghosts their owners' velocities. Collective.
  void share() { body_exchange(step_.problem).to_ghosts(velocity_); }

  /// u_n of contact @p i. Not collective.
  double normal_velocity(std::size_t i) const;
  /// u of contact @p i less what bodies have in it. Not collective.
  const Vec3& bias(std::size_t i) const { return bias_[i]; }
  /// The gap up to which contact @p i is closed, that of pairs that were placed touching, m. Not
  /// collective.
  double touching(std::size_t i) const;
  /// How much faster contact @p i approaches by what forces give in the step, m/s; 0 where they
  /// part it. Not collective.
  double gained_approach(std::size_t i) const { return gained_[i]; }

  /// v_free and r of the step with what impacts have changed. Collective.
  ProblemChanges changes() const;

 private:
  Vec3 seen(std::size_t contact, const std::vector<double>& velocity) const;
  /// Bound of the speeds of a contact's points on both bodies, whose difference is seen, m/s.
  double surface_speeds(std::size_t contact, const std::vector<double>& velocity) const;

  const FormulatedStep& step_;
  std::vector<double> velocity_;  ///< w of the local bodies
  std::vector<double> before_;    ///< w before all impacts
  std::vector<Vec3> bias_;        ///< of each contact
  std::vector<double> gained_;    ///< of each contact
};

}  // namespace scree
