#include <array>

#include "energetic.hpp"
#include "newton.hpp"
#include "scree/step/impact.hpp"

namespace scree {
namespace {

std::shared_ptr<const ImpactLaw> make_newton(const ImpactLawOptions& /*options*/,
                                             double /*gravity*/) {
  return std::make_shared<const NewtonImpacts>();
}

std::shared_ptr<const ImpactLaw> make_energetic(const ImpactLawOptions& options, double gravity) {
  return std::make_shared<const EnergeticImpacts>(options, gravity);
}

/// One row a law.
constexpr std::array<ImpactLawEntry, 2> kLaws{
    {{"newton", make_newton}, {"energetic", make_energetic}}};

}  // namespace

std::span<const ImpactLawEntry> impact_laws() {
  return kLaws;
}

}  // namespace scree
