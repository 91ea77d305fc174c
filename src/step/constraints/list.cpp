#include <array>
#include <type_traits>

#include "manifold.hpp"
#include "multisphere.hpp"
#include "relcp.hpp"
#include "scree/step/constraints.hpp"
#include "single.hpp"

namespace scree {
namespace {

template <class Way>
constexpr ConstraintsEntry row() {
  using Options = typename Way::Options;
  ConstraintsEntry entry{.name = Way::kName,
                         .help = Way::kHelp,
                         .add_options = [](OptionSet&) {},
                         .declare = [](Declaration&, OptionSet&) {},
                         .columns = Way::columns,
                         .make = nullptr};
  if constexpr (!std::is_same_v<Options, NoOptions>) {
    entry.add_options = [](OptionSet& all) { all.add(Options{}); };
    entry.declare = [](Declaration& d, OptionSet& all) { all.of<Options>().declare(d); };
  }
  if constexpr (std::is_constructible_v<Way, const ConstraintOptions&>) {
    entry.make = [](const ConstraintOptions& options) -> std::shared_ptr<const Constraints> {
      return std::make_shared<const Way>(options);
    };
  } else {
    entry.make = [](const ConstraintOptions&) -> std::shared_ptr<const Constraints> {
      return std::make_shared<const Way>();
    };
  }
  return entry;
}

/// One row a way.
constexpr std::array kWays{row<ManifoldConstraints>(), row<SingleConstraints>(),
                           row<MultisphereConstraints>(), row<RelcpConstraints>()};

}  // namespace

std::span<const ConstraintsEntry> ways_of_constraints() {
  return kWays;
}

}  // namespace scree
