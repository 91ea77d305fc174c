#pragma once

/// Impulses of the rows that sources give, body by body.

#include <cstdint>
#include <span>

#include "scree/problem/given_rows.hpp"

namespace scree {

/// Calls `visit(slot, impulse, cone)` for each body of each @p cone of @p given: J_e^T @p lambda, a
/// Vec6, linear and about the body's centre, N s and N m s. Not collective.
template <class Visit>
void for_each_given_impulse(const GivenRows& given, std::span<const double> lambda, Visit&& visit) {
  const double* block = given.jacobian.data();
  for_each_cone(given.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const auto own = rows_of(cone, lambda.data() + at.row);
    for (std::int32_t e = given.first[at.number]; e < given.first[at.number + 1]; ++e) {
      visit(given.slot[e], Vec6(Eigen::Map<const BodyBlock<Cone::kDim>>(block).transpose() * own),
            at.number);
      block += Cone::kDim * kBodyDofs;
    }
  });
}

}  // namespace scree
