#include "scree/step/contact_figures.hpp"

#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"

namespace scree {
namespace {

constexpr double kClosedFraction = 1e-3;

}  // namespace

ContactFigures contact_figures(MPI_Comm comm, const Store& store, std::span<const Contact> contacts,
                               const Cones& cones, Vec lambda) {
  const petsc::ConstView view(lambda);
  const auto normal = [&](std::size_t i) {
    return view[static_cast<std::size_t>(cones.offset[i])];
  };
  ContactFigures figures;
  figures.penetration = max_over_ranks(comm, penetration(store, contacts).relative);
  std::vector<double> positive{0.0, 0.0};  // sum and count of positive normal impulses
  for (std::size_t i = 0; i < contacts.size(); ++i) {
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
  return figures;
}

}  // namespace scree
