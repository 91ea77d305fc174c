#pragma once

/// Padded impulses, three numbers a cone, as both sweeps and their rules have them.

#include <array>
#include <cmath>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// Padded copy of a vector laid out by @p cones.
inline std::vector<double> padded(Vec v, const Cones& cones) {
  std::vector<double> result(3 * cones.count(), 0.0);
  const petsc::ConstView view(v);
  for (std::size_t i = 0; i < cones.count(); ++i) {
    for (int k = 0; k < cones.dim(i); ++k) {
      result[3 * i + static_cast<std::size_t>(k)] =
          view[static_cast<std::size_t>(cones.offset[i] + k)];
    }
  }
  return result;
}

/// The other way.
inline void unpad(const std::vector<double>& values, const Cones& cones, Vec v) {
  const petsc::View view(v);
  for (std::size_t i = 0; i < cones.count(); ++i) {
    for (int k = 0; k < cones.dim(i); ++k) {
      view[static_cast<std::size_t>(cones.offset[i] + k)] =
          values[3 * i + static_cast<std::size_t>(k)];
    }
  }
}

/// P_K of three padded numbers.
inline void project_padded(double* x, double mu) {
  const double tangent = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (x[0] >= 0.0 && tangent <= mu * x[0]) return;  // the sign decides where mu = 0
  const double along = x[0] + mu * tangent;
  if (along <= 0.0) {
    x[0] = x[1] = x[2] = 0.0;
    return;
  }
  const double normal = along / (1.0 + mu * mu);
  const double scale = tangent > 0.0 ? mu * normal / tangent : 0.0;
  x[0] = normal;
  x[1] *= scale;
  x[2] *= scale;
}

/// The impulse @p l becomes @p next; @p change gets the move. @returns whether it moved.
inline bool take(const std::array<double, 3>& next, double* l, double* change) {
  bool moved = false;
  for (std::size_t k = 0; k < 3; ++k) {
    change[k] = next[k] - l[k];
    l[k] = next[k];
    moved = moved || change[k] != 0.0;
  }
  return moved;
}

}  // namespace scree
