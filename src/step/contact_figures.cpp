#include "scree/step/contact_figures.hpp"

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/problem/measure.hpp"

namespace scree {
ContactFigures contact_figures(MPI_Comm comm, const Store& store, std::span<const Contact> contacts,
                               const Cones& cones, Vec lambda) {
  const petsc::ConstView view(lambda);
  const auto normal = [&](std::size_t i) {
    return view[static_cast<std::size_t>(cones.offset[i])];
  };
  ContactFigures figures;
  figures.penetration = max_over_ranks(comm, penetration(store, contacts).relative);
  const double bound = closed_contact_bound(comm, cones, lambda);
  for (std::size_t i = 0; i < contacts.size(); ++i) figures.closed += normal(i) > bound ? 1 : 0;
  figures.closed = sum_over_ranks(comm, figures.closed);
  figures.potential = sum_over_ranks(comm, static_cast<std::int64_t>(contacts.size()));
  return figures;
}

}  // namespace scree
