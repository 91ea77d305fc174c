#pragma once

/// What single contacts give the problem beside their frames: bodies, cones, R, bias, and what else
/// acts between the two bodies.

#include <vector>

#include "local_bodies.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/problem/assemble.hpp"
#include "spring_block.hpp"

namespace scree {

class ContactRows {
 public:
  /// All arguments must outlive this.
  ContactRows(const Store& store, const LocalBodies& bodies, const ContactLaws& laws,
              const AssembleInput& input);

  /// Appends the rows of @p contacts, whose histories are @p histories.
  void append(const ContactList& contacts, const HistoryBlocks& histories);

  BlockRows blocks;
  Cones cones;
  std::vector<double> bias;            ///< r - J v_free
  std::vector<double> compliance;      ///< diagonal of R
  std::vector<double> rolling_length;  ///< empty where no contact resists rolling
  TermsOfContacts terms;
  std::vector<ImpactTerms> impacts;  ///< empty where no contact has restitution

 private:
  /// Facts of a body that its contacts ask for, side by side, since they come at bodies in any
  /// order.
  struct Side {
    std::int32_t body;  ///< local; -1 for a prescribed tool
    std::int32_t material;
    double radius;    ///< of the surface that bends, m; kFlat for walls but balls
    double per_mass;  ///< 1/kg; 0 of prescribed tools
    double size;      ///< the inscribed radius, m
    double given;     ///< what forces give it in the step, m/s; 0 of prescribed tools
    Vec3 velocity;    ///< at the start of the step, m/s
    bool is_prescribed;
    bool is_ball;
  };

  struct PairSides {
    const Side& a;
    const Side& b;
    const PairLaw& law;
  };

  struct Block;

  void reserve(std::size_t n_contacts);
  void set_pairs(const ContactView& contacts, FrameBodies& bodies, Block& block);
  void set_gaps(const ContactView& contacts, Block& block) const;
  void append(const Contact& contact, std::size_t place, const Block& block);
  bool is_plain(const PairLaw& law) const;
  void append_plain(const ContactView& contacts, const Block& block);
  void make_room();
  const PairLaw& law_of(const ContactView& contacts, std::size_t i, const Side& a, const Side& b);
  template <class Cone>
  void append_rows(const Contact& contact, const Cone& cone);
  template <int kDim>
  void put_motion_of_tool(const Contact& contact, std::size_t row);
  void set_spring(const ContactView& contacts, const PairSides& sides, std::size_t place,
                  Block& block) const;
  double approach_of(const Contact& contact) const;
  double mass_at(const ContactView& contacts, std::size_t place, const PairSides& sides) const;
  double mass_with_turning(const Contact& contact, const PairSides& sides, double in_series) const;
  void append_friction(const Contact& contact, const PairLaw& law, double softness);
  double rolling_length_of(const Contact& contact, double softness) const;
  double gap_bias_of(const Contact& contact, const ContactHistory& history) const;
  double recovery_of(const Contact& contact, const ContactHistory& history) const;
  void append_parts(const SpringBlock& springs, std::size_t place);
  void append_terms(const Contact& contact, const PairLaw& law, const ContactHistory& history);
  void append_impact(const Contact& contact, double restitution);
  Vec3 point_velocity(std::int32_t slot, const Vec3& arm) const;
  Vec3 velocity_before(const Contact& contact) const;

  const Store& store_;
  const ContactLaws& laws_;
  const AssembleInput& input_;
  const bool any_compliant_;   ///< known once: the laws look at all pairs of materials
  std::vector<Side> sides_;    ///< of each slot
  std::int32_t known_a_ = -1;  ///< materials of the pair of known_law_
  std::int32_t known_b_ = -1;
  const PairLaw* known_law_ = nullptr;
  bool known_is_plain_ = false;
  double length_ = 0.0;  ///< length of the rolling rows of the contact at hand, m
};

}  // namespace scree
