#include <array>
#include <type_traits>

#include "energetic.hpp"
#include "newton.hpp"
#include "scree/step/impact.hpp"

namespace scree {
namespace {

template <class Law>
constexpr ImpactLawEntry row() {
  using Options = typename Law::Options;
  constexpr bool kHasKeys = !std::is_same_v<Options, NoOptions>;
  ImpactLawEntry entry{.name = Law::kName,
                       .help = Law::kHelp,
                       .needs_inertia = Law::kNeedsInertia,
                       .add_options = [](OptionSet&) {},
                       .declare = [](Declaration&, OptionSet&) {},
                       .is_default = [](const OptionSet&) { return true; },
                       .fault = [](const OptionSet&) { return std::string(); },
                       .columns = Law::columns,
                       .make = nullptr};
  if constexpr (kHasKeys) {
    entry.add_options = [](OptionSet& all) { all.add(Options{}); };
    entry.declare = [](Declaration& d, OptionSet& all) { all.of<Options>().declare(d); };
    entry.is_default = [](const OptionSet& all) { return all.of<Options>() == Options{}; };
    entry.fault = [](const OptionSet& all) { return all.of<Options>().fault(); };
    entry.make = [](const OptionSet& all, double gravity) -> std::shared_ptr<const ImpactLaw> {
      return std::make_shared<const Law>(all.of<Options>(), gravity);
    };
  } else {
    entry.make = [](const OptionSet&, double) -> std::shared_ptr<const ImpactLaw> {
      return std::make_shared<const Law>();
    };
  }
  return entry;
}

/// One row a law.
constexpr std::array kImpactLaws{row<NewtonImpacts>(), row<EnergeticImpacts>()};

}  // namespace

std::span<const ImpactLawEntry> impact_laws() {
  return kImpactLaws;
}

}  // namespace scree
