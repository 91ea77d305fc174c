#pragma once

/// Impulses for problems in FCLIB files, and what two programs measure of them.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scree/base/petsc.hpp"
#include "scree/problem/measure.hpp"

namespace scree::test {

/// Impulses that do not depend on the number of ranks.
inline void fill(Vec lambda, double scale) {
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(lambda, &first, nullptr));
  const petsc::View view(lambda);
  for (std::size_t k = 0; k < view.size(); ++k) {
    view[k] = scale * std::sin(1.7 * (static_cast<double>(first) + static_cast<double>(k)) + 0.3);
  }
}

/// @p speed is the largest velocity of a contact, m/s. Where bodies slide far faster than gaps
/// close, impulses are small beside it, and so are the errors; both programs know velocities to
/// some units in the last place of that speed only, which counts in the residual by residual /
/// velocity_error.
inline void expect_same(const Measures& a, const Measures& b, double speed = 0.0) {
  const auto near = [](double x, double y, double rounding = 0.0) {
    EXPECT_NEAR(x, y, 1e-8 * std::abs(y) + 1e-12 + rounding);
  };
  constexpr double kUnits = 16.0 * std::numeric_limits<double>::epsilon();
  const double share = b.velocity_error > 0.0 ? b.residual / b.velocity_error : 0.0;
  near(a.residual, b.residual, kUnits * speed * share);
  near(a.velocity_error, b.velocity_error);
  near(a.cost, b.cost);
  near(a.feasibility, b.feasibility);
}

}  // namespace scree::test
