#pragma once

/// What single contacts give the problem beside their frames: bodies, cones, R, bias, and what else
/// acts between the two bodies.

#include <optional>
#include <span>
#include <vector>

#include "local_bodies.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/contact/stiffness.hpp"
#include "scree/problem/assemble.hpp"

namespace scree {

class ContactRows {
 public:
  /// All arguments must outlive this.
  ContactRows(const Store& store, const LocalBodies& bodies, const ContactLaws& laws,
              const AssembleInput& input);

  void reserve(std::size_t n_contacts);
  void append(const Contact& contact, const ContactHistory& history);

  BlockRows blocks;
  Cones cones;
  std::vector<double> bias;        ///< r - J v_free
  std::vector<double> compliance;  ///< diagonal of R
  std::vector<double> rolling_length;
  std::vector<ContactTerms> terms;

 private:
  const PairLaw& law_of(const Contact& contact) const;
  bool is_ball(std::int32_t slot) const;
  template <class Cone>
  void append_rows(const Contact& contact, const Cone& cone);
  /// None where the contact is rigid.
  std::optional<ContactStiffness> spring_of(const Contact& contact, const PairLaw& law,
                                            const ContactHistory& history) const;
  void append_friction(const Contact& contact, const PairLaw& law, double softness);
  double rolling_length_of(const Contact& contact, double softness) const;
  void append_gap(const Contact& contact, const ContactHistory& history);
  double recovery_of(const Contact& contact, const ContactHistory& history) const;
  void add_gap_bias(double gap_bias);
  void append_spring(const Contact& contact, const ContactStiffness& spring,
                     const ContactHistory& history);
  ContactTerms terms_of(const Contact& contact, const PairLaw& law,
                        const ContactHistory& history) const;
  Vec3 point_velocity(std::int32_t slot, const Vec3& arm) const;
  Vec3 velocity_before(const Contact& contact) const;

  const Store& store_;
  const LocalBodies& bodies_;
  const ContactLaws& laws_;
  const AssembleInput& input_;
  double length_ = 0.0;  ///< length of the rolling rows of the contact at hand, m
};

}  // namespace scree
