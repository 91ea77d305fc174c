/// Contacts that resist sliding alone: all of a block in one pass.

#include <span>

#include "row_block.hpp"

namespace scree {

/// Whether contacts of a law resist sliding alone, and have no more terms than those of springs.
bool ContactRows::is_plain(const PairLaw& law) const {
  const bool is_round =
      input_.friction.law == FrictionLaw::coulomb || input_.friction.law == FrictionLaw::associated;
  const bool strikes = law.restitution > 0.0 && !law.elasticity.compliant();
  return is_round && law.resists() == ResistedMotion::sliding && law.cohesion == 0.0 && !strikes;
}

/// Appends the @p contacts of a block, which are all plain.
void ContactRows::append_plain(const ContactView& contacts, const Block& block) {
  constexpr std::size_t kRows = cones::Circular::kDim;
  const SpringBlock& springs = block.springs;
  const std::size_t count = contacts.size();
  std::size_t row = cones.rows();
  BlockNumbers mu;
  for (std::size_t i = 0; i < count; ++i) mu[i] = block.law[i]->mu;
  cones.append_all<cones::Circular>(std::span(mu).first(count),
                                    input_.friction.law != FrictionLaw::associated);
  make_room();
  terms.append(count, block.is_sprung, block.histories);
  for (std::size_t i = 0; i < count; ++i, row += kRows) {
    if (store_.is_tool(contacts.b(i))) put_motion_of_tool<kRows>(contacts[i], row);
    bias[row] += springs.normal_bias[i];
    bias[row + 1] += springs.bias1[i];
    bias[row + 2] += springs.bias2[i];
    compliance[row] = springs.normal_compliance[i];
    compliance[row + 1] = compliance[row + 2] = springs.tangential_compliance[i];
  }
  if (!input_.keeps_gap_bias) return;
  for (std::size_t i = 0; i < count; ++i) {
    terms.set_gap_bias(terms.size() - count + i, springs.normal_bias[i]);
  }
}

}  // namespace scree
