#include "matrix_blocks.hpp"

#include <algorithm>

#include "csr_view.hpp"

namespace scree {
namespace {

/// The bodies of other ranks that the columns of @p rows name.
std::vector<PetscInt> ghost_bodies(const LocalRows& rows) {
  std::vector<PetscInt> ghosts;
  for (PetscInt c = 0; c < rows.n_outer_columns; ++c) {
    const PetscInt body = rows.outer_columns[c] / kBodyDofs;
    if (ghosts.empty() || ghosts.back() != body) ghosts.push_back(body);
  }
  return ghosts;
}

/// The local body of each outer column of @p rows.
std::vector<std::int32_t> bodies_of_outer_columns(const LocalRows& rows,
                                                  const BodyPattern& pattern) {
  std::vector<std::int32_t> bodies(rows.n_outer_columns);
  for (std::size_t c = 0; c < bodies.size(); ++c) {
    const auto place = std::lower_bound(pattern.ghosts.begin(), pattern.ghosts.end(),
                                        rows.outer_columns[c] / kBodyDofs);
    bodies[c] = pattern.n_owned + static_cast<std::int32_t>(place - pattern.ghosts.begin());
  }
  return bodies;
}

/// Adds a number at (row of the cone, degree of freedom of body) to the last cone's entries.
void add_number(BodyRows& rows, int dim, std::int32_t body, int row, int dof, double value) {
  BodyPattern& pattern = rows.pattern;
  const std::size_t size = dim * kBodyDofs;
  const std::size_t first = pattern.first.back();
  std::size_t entry = first;
  while (entry < pattern.body.size() && pattern.body[entry] != body) ++entry;
  if (entry == pattern.body.size()) {
    pattern.body.push_back(body);
    rows.values.resize(rows.values.size() + size, 0.0);
  }
  rows.values[pattern.place.back() + (entry - first) * size + row * kBodyDofs + dof] += value;
}

}  // namespace

BodyRows rows_by_bodies(Mat matrix, const Cones& cones) {
  PetscInt n_dofs = 0;
  SCREE_PETSC(MatGetLocalSize(matrix, nullptr, &n_dofs));
  const LocalRows local(matrix);
  BodyRows rows;
  BodyPattern& pattern = rows.pattern;
  pattern.n_owned = n_dofs / kBodyDofs;
  pattern.ghosts = ghost_bodies(local);
  const std::vector<std::int32_t> outer_bodies = bodies_of_outer_columns(local, pattern);
  for (std::size_t i = 0; i < cones.count(); ++i) {
    pattern.place.push_back(rows.values.size());
    for (int k = 0; k < cones.dim(i); ++k) {
      const std::int32_t row = cones.offset[i] + k;
      const CsrView& inner = local.inner.value();
      for (PetscInt e = inner.row_start[row]; e < inner.row_start[row + 1]; ++e) {
        const PetscInt c = inner.column[e];
        add_number(rows, cones.dim(i), c / kBodyDofs, k, c % kBodyDofs, inner.value[e]);
      }
      if (!local.outer) continue;
      const CsrView& outer = *local.outer;
      for (PetscInt e = outer.row_start[row]; e < outer.row_start[row + 1]; ++e) {
        const PetscInt c = outer.column[e];
        add_number(rows, cones.dim(i), outer_bodies[c], k, local.outer_columns[c] % kBodyDofs,
                   outer.value[e]);
      }
    }
    pattern.first.push_back(static_cast<std::int32_t>(pattern.body.size()));
  }
  return rows;
}

std::vector<double> blocks_of_bodies(Mat matrix) {
  const LocalRows m(matrix);
  const CsrView& inner = m.inner.value();
  std::vector<double> blocks(static_cast<std::size_t>(inner.n_rows()) * kBodyDofs, 0.0);
  for (PetscInt row = 0; row < inner.n_rows(); ++row) {
    for (PetscInt e = inner.row_start[row]; e < inner.row_start[row + 1]; ++e) {
      const PetscInt column = inner.column[e];
      if (column / kBodyDofs != row / kBodyDofs) continue;
      blocks[static_cast<std::size_t>(row) * kBodyDofs + column % kBodyDofs] = inner.value[e];
    }
  }
  return blocks;
}

}  // namespace scree
