#pragma once

/// Newton's law, contact by contact, less what the forces of the step take from it.
///
/// An impact of two materials with restitution e replaces the normal's r, so that with u^-, the
/// velocity at the start of the step (that of tools in the step before),
///
///     u_n^+ >= -e u_n^- + min(u_n,free - u_n^-, 0),        u_free = J v_free - (what tools move)
///
/// Weight that brings the pair together again acts after the impact; drag that brakes the approach
/// adds nothing to the parting. So the energy of one pair never grows. It is an impact if the step
/// would close the gap, phi + dt u_n,free < 0, and if the right side is positive: only what
/// approaches faster than the forces of one step bring it back (|g| dt / e under gravity) parts
/// again. Thus what rests stays at rest, whatever e is, and bounces end.
///
/// Compliant pairs have no impacts: their springs give back what restitution asks for
/// (contact/restitution.hpp).
///
/// | symbol   | meaning                                             | unit |
/// | ---      | ---                                                 | ---  |
/// | e        | restitution                                         | 1    |
/// | phi      | gap                                                 | m    |
/// | u_n      | normal velocity of A's contact point against B's    | m/s  |
///
/// Reference: J. J. Moreau, Numerical aspects of the sweeping process, Comput. Methods Appl. Mech. Eng. 177 (1999),
/// with the threshold ours.

#include "scree/step/impact.hpp"

namespace scree {

class NewtonImpacts final : public ImpactLaw {
 public:
  static constexpr std::string_view kName = "newton";
  static constexpr std::string_view kHelp =
      "each contact parts at its restitution times its speed of approach";

  ResolvedImpacts act(const FormulatedStep& step, ContactView contacts,
                      const Goal& goal) const override;
};

}  // namespace scree
