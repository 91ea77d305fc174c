#include "scree/step/contact_figures.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

ContactFigures contact_figures(MPI_Comm comm, const Store& store, const ContactOutcome& outcome) {
  const petsc::ConstView lambda(outcome.lambda);
  const Cones& cones = outcome.posed.problem.cones;
  const double bound = closed_contact_bound(comm, cones, outcome.lambda);
  ContactFigures figures;
  double penetration = 0.0;
  double compression = 0.0;
  for (std::size_t i = 0; i < outcome.contacts.size(); ++i) {
    const Contact& contact = outcome.contacts[i];
    const double normal = lambda[cones.row(i)];
    figures.closed += normal > bound ? 1 : 0;
    const double radius = smaller_radius(store, contact);
    double of_spring = 0.0;
    if (outcome.posed.terms[i].compliant) {
      of_spring = std::max(outcome.histories[i].rest_gap - contact.gap, 0.0);
      compression = std::max(compression, of_spring / radius);
    }
    penetration = std::max(penetration, (-contact.gap - of_spring) / radius);
  }
  figures.penetration = max_over_ranks(comm, penetration);
  figures.compression = max_over_ranks(comm, compression);
  figures.closed = sum_over_ranks(comm, figures.closed);
  figures.potential = sum_over_ranks(comm, static_cast<std::int64_t>(outcome.contacts.size()));
  return figures;
}

}  // namespace scree
