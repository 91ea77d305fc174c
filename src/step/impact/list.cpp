#include <array>

#include "scree/step/impact.hpp"
#include "scree/step/impact/newton.hpp"

namespace scree {
namespace {

template <class Law>
std::shared_ptr<const ImpactLaw> make() {
  return std::make_shared<const Law>();
}

/// One row a law.
constexpr std::array<ImpactLawEntry, 1> kLaws{{
    {"newton", "each contact parts at its restitution times its speed of approach",
     make<NewtonImpacts>},
}};

}  // namespace

std::span<const ImpactLawEntry> impact_laws() {
  return kLaws;
}

}  // namespace scree
