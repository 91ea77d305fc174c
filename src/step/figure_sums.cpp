#include "figure_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "scree/base/fused_reduction.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

FigureSums::FigureSums(const Store& store, double smallest_radius, std::size_t n_contacts)
    : store_(store), smallest_radius_(smallest_radius) {
  of_pairs_.reserve(n_contacts);
}

ContactFigures FigureSums::of_all_ranks(MPI_Comm comm) const {
  ContactFigures figures;
  const double bound = closed_pair_bound(comm, of_pairs_);
  const auto n_closed =
      std::ranges::count_if(of_pairs_, [bound](double normal) { return normal > bound; });
  std::array<double, 2> counts{static_cast<double>(n_closed), static_cast<double>(n_contacts_)};
  figures.penetration = penetration_;
  sum_and_max_over_ranks(comm, counts, {&figures.penetration, 1});
  figures.closed = static_cast<std::int64_t>(counts[0]);
  figures.potential = static_cast<std::int64_t>(counts[1]);
  return figures;
}

}  // namespace scree
