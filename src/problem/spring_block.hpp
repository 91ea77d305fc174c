#pragma once

/// The springs of a block of contacts, worked out side by side: their parts of R and of the bias
/// (contact/stiffness.hpp).

#include <array>

#include "scree/base/instructions.hpp"
#include "scree/base/triples.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/contact/frame_numbers.hpp"
#include "scree/contact/stiffness.hpp"
#include "scree/problem/contact_terms.hpp"

namespace scree {

class SpringBlock {
 public:
  /// Springs of contacts in a step of @p dt.
  explicit SpringBlock(double dt) : dt_(dt) {}

  /// Sets the site @p where but for its deepening, which is what the speed of @p approach (m/s)
  /// lets expect: none where it is 0. @p law must outlive this; most springs are of the law of the
  /// one before at their place.
  void set(std::size_t i, const PairElasticity& law, const ContactSite& where, double approach) {
    if (law_[i] != &law || law.options.law == StiffnessLaw::rod) {
      set_terms(i, terms_of(law, where.radius_a, where.radius_b));
      law_[i] = &law;
    }
    radius_a_[i] = where.radius_a;
    radius_b_[i] = where.radius_b;
    mass_[i] = where.mass;
    stiffness_gap_[i] = where.gap;
    approach_[i] = approach;
    sharing_[i] = where.sharing;
    approaches_ = approaches_ || approach != 0.0;
  }

  /// Works out all springs of the block of @p contacts, whose @p histories have their rest gaps and
  /// the forces that their tangential springs kept. Those that were not set give nothing of use.
  void work_out(const ContactBlock& contacts, const HistoryBlock& histories) {
    approaches_ ? work_out_by<true>(contacts, histories) : work_out_by<false>(contacts, histories);
    approaches_ = false;
  }

  /// Puts a rigid contact with this @p bias of its normal, m/s, among those that are worked out.
  void set_rigid(std::size_t i, double bias) {
    normal_bias[i] = bias;
    normal_compliance[i] = tangential_compliance[i] = bias1[i] = bias2[i] = 0.0;
  }

  BlockNumbers normal_compliance{};      ///< R_n, 1/kg
  BlockNumbers tangential_compliance{};  ///< R_t, 1/kg
  BlockNumbers normal_bias{};            ///< m/s
  BlockNumbers bias1{};                  ///< of the first tangent, m/s
  BlockNumbers bias2{};                  ///< of the second

 private:
  /// @p kExpects: some sites may deepen within the step.
  template <bool kExpects>
  SCREE_INLINE void work_out_by(const ContactBlock& contacts, const HistoryBlock& histories) {
    const double dt = dt_;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const StiffnessTerms terms = terms_at(i);
      ContactSite site = site_at(i);
      if constexpr (kExpects) site.deepening = expected_deepening(terms, site, approach_[i], dt);
      const ContactStiffness spring = stiffness_of(terms, site, dt);
      const double softness = spring.tangential_compliance(dt);
      const Triple held = in_frame_of(contacts.normal[i], histories.force[i]);
      normal_compliance[i] = spring.normal_compliance(dt);
      tangential_compliance[i] = softness;
      normal_bias[i] = spring.normal_bias(contacts.gap[i] - histories.rest_gap[i], dt);
      bias1[i] = -softness * dt * held.y;
      bias2[i] = -softness * dt * held.z;
    }
  }

  SCREE_INLINE StiffnessTerms terms_at(std::size_t i) const {
    return {.fixed = fixed_[i],
            .linear = linear_[i],
            .modulus = modulus_[i],
            .least = least_[i],
            .tangential_ratio = tangential_ratio_[i],
            .damping = damping_[i],
            .restitution = restitution_[i]};
  }
  SCREE_INLINE ContactSite site_at(std::size_t i) const {
    return {.radius_a = radius_a_[i],
            .radius_b = radius_b_[i],
            .mass = mass_[i],
            .gap = stiffness_gap_[i],
            .sharing = sharing_[i]};
  }
  void set_terms(std::size_t i, const StiffnessTerms& terms) {
    fixed_[i] = terms.fixed;
    linear_[i] = terms.linear;
    modulus_[i] = terms.modulus;
    least_[i] = terms.least;
    tangential_ratio_[i] = terms.tangential_ratio;
    damping_[i] = terms.damping;
    restitution_[i] = terms.restitution;
  }

  double dt_;
  std::array<const PairElasticity*, kBlock> law_{};
  BlockNumbers fixed_{}, linear_{}, modulus_{}, least_{}, tangential_ratio_{}, damping_{},
      restitution_{};
  BlockNumbers radius_a_{}, radius_b_{}, mass_{}, stiffness_gap_{}, approach_{}, sharing_{};
  bool approaches_ = false;  ///< some speed of approach is not 0
};

}  // namespace scree
