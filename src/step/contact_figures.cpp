#include "scree/step/contact_figures.hpp"

#include <algorithm>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/problem/measure.hpp"

namespace scree {
namespace {

/// The normal impulse of each of this rank's pairs, summed over its points, which follow each
/// other.
std::vector<double> normal_impulses_of_pairs(const ContactOutcome& outcome, const double* impulse) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < outcome.contacts.size(); ++i) {
    const bool begins =
        i == 0 || !of_one_pair(outcome.contacts[i].key, outcome.contacts[i - 1].key);
    if (begins) sums.push_back(0.0);
    sums.back() += impulse[outcome.formulated.problem.cones.row(i)];
  }
  return sums;
}

/// Collective.
std::int64_t n_closed(MPI_Comm comm, const std::vector<double>& normal_impulses) {
  const double bound = closed_pair_bound(comm, normal_impulses);
  return sum_over_ranks(comm, static_cast<std::int64_t>(std::count_if(
                                  normal_impulses.begin(), normal_impulses.end(),
                                  [bound](double normal) { return normal > bound; })));
}

}  // namespace

ContactFigures contact_figures(MPI_Comm comm, const Store& store, const ContactOutcome& outcome) {
  const petsc::ConstView total(outcome.total);
  ContactFigures figures;
  double penetration = 0.0;
  for (std::size_t i = 0; i < outcome.contacts.size(); ++i) {
    const Contact& contact = outcome.contacts[i];
    // the gap of a later constraint is that of the trial configuration that it was found in
    if (contact.key.recursion > 0) continue;
    const double radius = smaller_radius(store, contact.a, contact.b);
    double of_spring = 0.0;
    if (outcome.formulated.terms[i].compliant) {
      of_spring = std::max(outcome.histories[i].rest_gap - contact.gap, 0.0);
    }
    penetration = std::max(penetration, (-contact.gap - of_spring) / radius);
  }
  figures.penetration = max_over_ranks(comm, penetration);
  figures.closed = n_closed(comm, normal_impulses_of_pairs(outcome, total.data()));
  figures.potential = sum_over_ranks(comm, static_cast<std::int64_t>(outcome.contacts.size()));
  return figures;
}

}  // namespace scree
