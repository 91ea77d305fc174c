#include "figure_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "scree/base/fused_reduction.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

FigureSums::FigureSums(const Store& store, double smallest_radius, std::size_t n_contacts)
    : store_(store), smallest_radius_(smallest_radius) {
  of_pairs_.reserve(n_contacts);
}

void FigureSums::add(const ResultBlock& block) {
  n_contacts_ += static_cast<std::int64_t>(block.size());
  add_pairs(block);
  deepen(block);
}

void FigureSums::add_pairs(const ResultBlock& block) {
  const std::span normals = std::span(block.total.normal()).first(block.size());
  if (block.contacts.are_single()) {
    of_pairs_.insert(of_pairs_.end(), normals.begin(), normals.end());
    return;
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    const ContactKey key = block.contacts.key(i);
    if (of_pairs_.empty() || !of_one_pair(key, last_)) of_pairs_.push_back(0.0);
    of_pairs_.back() += normals[i];
    last_ = key;
  }
}

void FigureSums::deepen(const ResultBlock& block) {
  const bool are_single = block.contacts.are_single();
  for (std::size_t i = 0; i < block.size(); ++i) {
    // the gap of a later constraint is that of the trial configuration that it was found in
    if (!are_single && block.contacts.key(i).recursion > 0) continue;
    const double gap = block.frames.gap[i];
    const bool sprung = block.terms.is_compliant(block.first + i);
    const double depth = sprung ? std::min(-gap, -block.terms.rest_gap(block.first + i)) : -gap;
    if (depth <= penetration_ * smallest_radius_) continue;  // whatever the radii of the two
    const double radius = smaller_radius(store_, block.frames.a[i], block.frames.b[i]);
    penetration_ = std::max(penetration_, depth / radius);
  }
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
