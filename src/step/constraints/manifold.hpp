#pragma once

#include "scree/step/constraints.hpp"

namespace scree {

/// All points of the manifold at the step's start, and the step solved once.
class ManifoldConstraints final : public Constraints {
 public:
  static constexpr std::string_view kName = "manifold";
  static constexpr std::string_view kHelp = "the points of their manifold at its start";

  SolvedContacts solve(const StepWork& work, ContactList contacts) const override;
};

}  // namespace scree
