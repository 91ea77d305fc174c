#include "figure_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "scree/base/fused_reduction.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

FigureSums::FigureSums(const Store& store, double smallest_radius, std::size_t n_contacts)
    : store_(store), smallest_radius_(smallest_radius) {
  of_pairs_.reserve(n_contacts);
}

void FigureSums::add(const ContactResult& result) {
  const ContactKey& key = result.contact.key;
  if (of_pairs_.empty() || !of_one_pair(key, last_)) of_pairs_.push_back(0.0);
  of_pairs_.back() += result.total.normal;
  last_ = key;
  ++n_contacts_;
  // the gap of a later constraint is that of the trial configuration that it was found in
  if (key.recursion == 0) deepen(result);
}

void FigureSums::deepen(const ContactResult& result) {
  const Contact& contact = result.contact;
  const bool sprung = result.terms.compliant;
  const double of_spring = sprung ? std::max(result.terms.rest_gap - contact.gap, 0.0) : 0.0;
  const double depth = -contact.gap - of_spring;
  if (depth <= penetration_ * smallest_radius_) return;  // whatever the radii of the two
  const double radius = smaller_radius(store_, contact.a, contact.b);
  penetration_ = std::max(penetration_, depth / radius);
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
