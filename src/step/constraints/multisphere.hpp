#pragma once

/// The points of balls that fill the grains (contact/ball_twins.hpp): detection sees clusters of
/// balls in the place of smooth bodies, everything else the bodies' own shapes.

#include <cstdint>

#include "measured_at_the_end.hpp"

namespace scree {

/// The keys of the way under `contact:`.
struct MultisphereOptions {
  std::int64_t balls = 13;  ///< of a grain

  void declare(Declaration& d);
};

class MultisphereConstraints final : public MeasuredAtTheEnd {
 public:
  using Options = MultisphereOptions;
  static constexpr std::string_view kName = "multisphere";
  static constexpr std::string_view kHelp =
      "the points of balls that fill the grains (multisphere)";

  explicit MultisphereConstraints(const ConstraintOptions& options);
  std::string fault_of_grain(const Shape& shape) const override;
  /// @pre no grain has a fault_of_grain()
  ContactList find(const Store& bodies, const std::vector<Pair>& pairs,
                   const Reach& reach) const override;

 private:
  int balls_;
};

}  // namespace scree
