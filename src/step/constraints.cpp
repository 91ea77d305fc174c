#include "scree/step/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/config/declaration.hpp"
#include "scree/step/end_overlap.hpp"

namespace scree {

ConstraintOptions::ConstraintOptions() : way(ways_of_constraints().front().name) {
  for (const ConstraintsEntry& entry : ways_of_constraints()) entry.add_options(of_ways);
}

void ConstraintOptions::declare(Declaration& d) {
  std::vector<std::string_view> names;
  std::string help = "constraints that keep two bodies apart in a step: ";
  for (const ConstraintsEntry& entry : ways_of_constraints()) {
    const bool is_last = names.size() + 1 == ways_of_constraints().size();
    help += fmt::format("{}{}{}", names.empty() ? "" : "; ", is_last ? "or " : "", entry.help);
    names.push_back(entry.name);
  }
  d.word("constraints", way, names, {.help = help});
  d.real("overlap_tolerance", overlap_tolerance,
         {.help = "of relcp: largest overlap at the end of a step over the inscribed radius of the "
                  "smaller grain; with single and multisphere a solve may leave half of it",
          .unit = "1",
          .min = 1e-10,
          .max = 1.0});
  for (const ConstraintsEntry& entry : ways_of_constraints()) entry.declare(d, of_ways);
}

ContactList Constraints::find(const Store& bodies, const std::vector<Pair>& pairs,
                              const Reach& reach) const {
  return narrowphase(bodies, pairs, reach);
}

std::vector<FigureColumn> constraint_columns() {
  std::vector<FigureColumn> all;
  for (const ConstraintsEntry& entry : ways_of_constraints()) {
    for (const FigureColumn& column : entry.columns()) all.push_back(column);
  }
  all.push_back(kOverlapColumn);
  return all;
}

std::shared_ptr<const Constraints> make_constraints(const ConstraintOptions& options) {
  const auto entry = std::ranges::find(ways_of_constraints(), options.way, &ConstraintsEntry::name);
  SCREE_ASSERT(entry != ways_of_constraints().end());
  return entry->make(options);
}

}  // namespace scree
