#pragma once

/// What both sweeps do at one contact.

#include <array>
#include <cmath>
#include <vector>

#include "scree/problem/contact_problem.hpp"
#include "scree/solver/one_contact.hpp"

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

/// Moves the impulse @p l of a contact whose velocity is @p u; @p change gets the move.
/// @returns whether it moved.
inline bool relax_contact(OneContact& contact, FrictionLaw law, double omega, const double* u,
                          double* l, double* change) {
  std::array<double, 3> q;
  std::array<double, 3> next;
  contact.without_own(u, l, q.data());
  contact.solve(law, q.data(), next.data());
  for (std::size_t k = 0; k < 3; ++k) next[k] = l[k] + omega * (next[k] - l[k]);
  if (omega != 1.0) project_padded(next.data(), contact.mu());
  bool moved = false;
  for (std::size_t k = 0; k < 3; ++k) {
    change[k] = next[k] - l[k];
    l[k] = next[k];
    moved = moved || change[k] != 0.0;
  }
  return moved;
}

}  // namespace scree
