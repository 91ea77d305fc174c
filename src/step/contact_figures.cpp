#include "scree/step/contact_figures.hpp"

#include <algorithm>
#include <vector>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

constexpr double kClosedFraction = 1e-3;

double smaller_radius(const Store& store, const Contact& contact) {
  const double a = radius(store, contact.a);
  return store.is_tool(contact.b) ? a : std::min(a, radius(store, contact.b));
}

}  // namespace

ContactFigures contact_figures(MPI_Comm comm, const Store& store, std::span<const Contact> contacts,
                               const Cones& cones, Vec lambda) {
  const petsc::ConstView view(lambda);
  const auto normal = [&](std::size_t i) {
    return view[static_cast<std::size_t>(cones.offset[i])];
  };
  ContactFigures figures;
  std::vector<double> positive{0.0, 0.0};  // sum and count of positive normal impulses
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    figures.penetration =
        std::max(figures.penetration, -contacts[i].gap / smaller_radius(store, contacts[i]));
    if (normal(i) > 0.0) {
      positive[0] += normal(i);
      positive[1] += 1.0;
    }
  }
  sum_over_ranks(comm, positive);
  const double bound = positive[1] > 0.0 ? kClosedFraction * positive[0] / positive[1] : 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) figures.closed += normal(i) > bound ? 1 : 0;
  figures.closed = sum_over_ranks(comm, figures.closed);
  figures.potential = sum_over_ranks(comm, static_cast<std::int64_t>(contacts.size()));
  figures.penetration = max_over_ranks(comm, figures.penetration);
  return figures;
}

}  // namespace scree
