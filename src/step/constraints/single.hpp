#pragma once

#include "measured_at_the_end.hpp"

namespace scree {

/// The deepest point of the manifold at the step's start, which bears the pair's whole stiffness.
class SingleConstraints final : public MeasuredAtTheEnd {
 public:
  static constexpr std::string_view kName = "single";
  static constexpr std::string_view kHelp = "the deepest of them alone";

  explicit SingleConstraints(const ConstraintOptions& options) : MeasuredAtTheEnd(options) {}
  ContactList find(const Store& bodies, const std::vector<Pair>& pairs,
                   const Reach& reach) const override;
};

}  // namespace scree
