#pragma once

/// The springs of a block of contacts, worked out side by side: their parts of R and of the bias
/// (contact/stiffness.hpp).

#include "scree/base/triples.hpp"
#include "scree/contact/frame_numbers.hpp"
#include "scree/contact/stiffness.hpp"

namespace scree {

/// Where a spring is, and what it holds.
struct SpringSite {
  ContactSite where;
  double gap = 0.0;  ///< from the gap at which it is at rest, at the start of the step, m
  Vec3 normal = Vec3::UnitZ();  ///< of the contact
  Vec3 force = Vec3::Zero();    ///< that the tangential spring kept, N
};

class SpringBlock {
 public:
  /// Springs of contacts in a step of @p dt.
  explicit SpringBlock(double dt) : dt_(dt) {}

  void set(std::size_t i, const StiffnessTerms& law, const SpringSite& site) {
    fixed_[i] = law.fixed;
    linear_[i] = law.linear;
    modulus_[i] = law.modulus;
    least_[i] = law.least;
    tangential_ratio_[i] = law.tangential_ratio;
    damping_[i] = law.damping;
    restitution_[i] = law.restitution;
    radius_a_[i] = site.where.radius_a;
    radius_b_[i] = site.where.radius_b;
    mass_[i] = site.where.mass;
    stiffness_gap_[i] = site.where.gap;
    deepening_[i] = site.where.deepening;
    sharing_[i] = site.where.sharing;
    gap_[i] = site.gap;
    normal_.set(i, site.normal);
    force_.set(i, site.force);
  }

  /// Works out all springs of the block. Those that were not set give nothing of use.
  void work_out() {
    const double dt = dt_;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const ContactStiffness spring = stiffness_of({.fixed = fixed_[i],
                                                    .linear = linear_[i],
                                                    .modulus = modulus_[i],
                                                    .least = least_[i],
                                                    .tangential_ratio = tangential_ratio_[i],
                                                    .damping = damping_[i],
                                                    .restitution = restitution_[i]},
                                                   {.radius_a = radius_a_[i],
                                                    .radius_b = radius_b_[i],
                                                    .mass = mass_[i],
                                                    .gap = stiffness_gap_[i],
                                                    .deepening = deepening_[i],
                                                    .sharing = sharing_[i]},
                                                   dt);
      const double softness = spring.tangential_compliance(dt);
      const Triple held = in_frame_of(normal_[i], force_[i]);
      normal_compliance[i] = spring.normal_compliance(dt);
      tangential_compliance[i] = softness;
      normal_bias[i] = spring.normal_bias(gap_[i], dt);
      bias1[i] = -softness * dt * held.y;
      bias2[i] = -softness * dt * held.z;
    }
  }

  BlockNumbers normal_compliance{};      ///< R_n, 1/kg
  BlockNumbers tangential_compliance{};  ///< R_t, 1/kg
  BlockNumbers normal_bias{};            ///< m/s
  BlockNumbers bias1{};                  ///< of the first tangent, m/s
  BlockNumbers bias2{};                  ///< of the second

 private:
  double dt_;
  BlockNumbers fixed_{}, linear_{}, modulus_{}, least_{}, tangential_ratio_{}, damping_{},
      restitution_{};
  BlockNumbers radius_a_{}, radius_b_{}, mass_{}, stiffness_gap_{}, deepening_{}, sharing_{},
      gap_{};
  Triples normal_{}, force_{};
};

}  // namespace scree
