#include "scree/problem/body_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "csr_view.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

using Block6 = std::array<double, kBodyDofs * kBodyDofs>;  ///< row-major

/// The bodies of other ranks that the columns of @p jacobian name.
std::vector<PetscInt> ghost_bodies(const LocalRows& jacobian) {
  std::vector<PetscInt> ghosts;
  for (PetscInt c = 0; c < jacobian.n_outer_columns; ++c) {
    const PetscInt body = jacobian.outer_columns[c] / kBodyDofs;
    if (ghosts.empty() || ghosts.back() != body) ghosts.push_back(body);
  }
  return ghosts;
}

/// Adds J's number at (row of the cone, degree of freedom of body) to the last cone's entries.
void add_number(BodyRows& rows, std::int32_t body, int row, int dof, double value) {
  auto entry = static_cast<std::size_t>(rows.first.back());
  while (entry < rows.body.size() && rows.body[entry] != body) ++entry;
  if (entry == rows.body.size()) {
    rows.body.push_back(body);
    rows.values.resize(rows.values.size() + BodyRows::kEntrySize, 0.0);
  }
  rows.values[entry * BodyRows::kEntrySize + static_cast<std::size_t>(row * kBodyDofs + dof)] +=
      value;
}

void read_jacobian(const LocalRows& jacobian, const Cones& cones, BodyRows& rows) {
  std::vector<std::int32_t> slot(static_cast<std::size_t>(jacobian.n_outer_columns));
  for (std::size_t c = 0; c < slot.size(); ++c) {
    const auto place = std::lower_bound(rows.ghosts.begin(), rows.ghosts.end(),
                                        jacobian.outer_columns[c] / kBodyDofs);
    slot[c] = rows.n_owned + static_cast<std::int32_t>(place - rows.ghosts.begin());
  }
  rows.body.reserve(2 * cones.count());
  rows.values.reserve(2 * cones.count() * BodyRows::kEntrySize);
  rows.first.reserve(cones.count() + 1);
  for (std::size_t i = 0; i < cones.count(); ++i) {
    for (int k = 0; k < cones.dim(i); ++k) {
      const std::int32_t row = cones.offset[i] + k;
      const CsrView& inner = *jacobian.inner;
      for (PetscInt e = inner.row_start[row]; e < inner.row_start[row + 1]; ++e) {
        const PetscInt c = inner.column[e];
        add_number(rows, c / kBodyDofs, k, c % kBodyDofs, inner.value[e]);
      }
      if (!jacobian.outer) continue;
      const CsrView& outer = *jacobian.outer;
      for (PetscInt e = outer.row_start[row]; e < outer.row_start[row + 1]; ++e) {
        const PetscInt c = outer.column[e];
        add_number(rows, slot[static_cast<std::size_t>(c)], k,
                   jacobian.outer_columns[c] % kBodyDofs, outer.value[e]);
      }
    }
    rows.first.push_back(static_cast<std::int32_t>(rows.body.size()));
  }
}

/// The blocks of M^-1 of this rank's bodies.
std::vector<double> owned_blocks(Mat inverse_mass, std::size_t n_owned, std::size_t n_bodies) {
  std::vector<double> blocks(n_bodies * Block6{}.size(), 0.0);
  const LocalRows m(inverse_mass);
  const CsrView& inner = *m.inner;
  for (PetscInt row = 0; row < static_cast<PetscInt>(n_owned) * kBodyDofs; ++row) {
    for (PetscInt e = inner.row_start[row]; e < inner.row_start[row + 1]; ++e) {
      const PetscInt column = inner.column[e];
      if (column / kBodyDofs != row / kBodyDofs) continue;
      blocks[static_cast<std::size_t>(row * kBodyDofs + column % kBodyDofs)] = inner.value[e];
    }
  }
  return blocks;
}

/// L of M^-1 = L L^T; a pivot that vanishes beside its diagonal gives a zero column.
Block6 cholesky(const double* a) {
  constexpr double kVanishing = 1e-14;
  Block6 l{};
  const auto at = [](int i, int j) { return static_cast<std::size_t>(i * kBodyDofs + j); };
  for (int j = 0; j < kBodyDofs; ++j) {
    double pivot = a[at(j, j)];
    for (int k = 0; k < j; ++k) pivot -= l[at(j, k)] * l[at(j, k)];
    if (pivot <= kVanishing * a[at(j, j)]) continue;
    const double root = std::sqrt(pivot);
    l[at(j, j)] = root;
    for (int i = j + 1; i < kBodyDofs; ++i) {
      double sum = a[at(i, j)];
      for (int k = 0; k < j; ++k) sum -= l[at(i, k)] * l[at(j, k)];
      l[at(i, j)] = sum / root;
    }
  }
  return l;
}

/// B_ib = J_ib L_b, in place.
void multiply_by_factor(double* entry, const Block6& l) {
  for (int row = 0; row < kConeRows; ++row) {
    double* j = entry + row * kBodyDofs;
    for (int c = 0; c < kBodyDofs; ++c) {
      double sum = 0.0;  // L is lower triangular, so that columns before c are no longer needed
      for (int k = c; k < kBodyDofs; ++k)
        sum += j[k] * l[static_cast<std::size_t>(k * kBodyDofs + c)];
      j[c] = sum;
    }
  }
}

BodyRows make_body_rows(const ContactProblem& problem) {
  BodyRows rows;
  PetscInt n_dofs = 0;
  SCREE_PETSC(MatGetLocalSize(problem.delassus.inverse_mass.get(), &n_dofs, nullptr));
  rows.n_owned = n_dofs / kBodyDofs;
  {
    const LocalRows jacobian(problem.delassus.jacobian.get());
    rows.ghosts = ghost_bodies(jacobian);
    read_jacobian(jacobian, problem.cones, rows);
  }
  constexpr std::size_t kBlock = kBodyDofs * kBodyDofs;
  std::vector<double> blocks = owned_blocks(
      problem.delassus.inverse_mass.get(), static_cast<std::size_t>(rows.n_owned), rows.n_bodies());
  BodyExchange(problem.comm, rows, kBlock).to_ghosts(blocks);
  std::vector<Block6> factors(rows.n_bodies());
  for (std::size_t b = 0; b < factors.size(); ++b) factors[b] = cholesky(&blocks[b * kBlock]);
  for (std::size_t e = 0; e < rows.body.size(); ++e) {
    multiply_by_factor(&rows.values[e * BodyRows::kEntrySize],
                       factors[static_cast<std::size_t>(rows.body[e])]);
  }
  return rows;
}

}  // namespace

bool has_body_rows(const ContactProblem& problem) {
  const DelassusOperator& n = problem.delassus;
  return n.is_product() && n.symmetric && n.block_size == kBodyDofs;
}

std::shared_ptr<const BodyRows> body_rows(const ContactProblem& problem) {
  if (!problem.body_rows_made) {
    problem.body_rows_made = std::make_shared<const BodyRows>(make_body_rows(problem));
  }
  return problem.body_rows_made;
}

BodyExchange::BodyExchange(MPI_Comm comm, const BodyRows& rows, int width)
    : n_owned_(static_cast<std::size_t>(rows.n_owned) * static_cast<std::size_t>(width)) {
  const std::size_t n_ghost = rows.ghosts.size() * static_cast<std::size_t>(width);
  needed_ = max_over_ranks(comm, rows.ghosts.empty() ? 0 : 1) != 0;
  if (!needed_) return;
  owned_ = petsc::make_vector(comm, n_owned_);
  ghost_ = petsc::make_vector(PETSC_COMM_SELF, n_ghost);
  petsc::IndexSet from;
  SCREE_PETSC(ISCreateBlock(PETSC_COMM_SELF, width, static_cast<PetscInt>(rows.ghosts.size()),
                            rows.ghosts.data(), PETSC_COPY_VALUES, from.out()));
  SCREE_PETSC(VecScatterCreate(owned_.get(), from.get(), ghost_.get(), nullptr, scatter_.out()));
}

void BodyExchange::to_ghosts(std::vector<double>& values) {
  if (!needed_) return;
  std::copy_n(values.begin(), n_owned_, petsc::View(owned_.get()).data());
  SCREE_PETSC(
      VecScatterBegin(scatter_.get(), owned_.get(), ghost_.get(), INSERT_VALUES, SCATTER_FORWARD));
  SCREE_PETSC(
      VecScatterEnd(scatter_.get(), owned_.get(), ghost_.get(), INSERT_VALUES, SCATTER_FORWARD));
  const petsc::ConstView ghost(ghost_.get());
  std::copy_n(ghost.data(), ghost.size(), values.begin() + static_cast<std::ptrdiff_t>(n_owned_));
}

void BodyExchange::add_to_owners(std::vector<double>& values) {
  if (!needed_) return;
  std::copy_n(values.begin(), n_owned_, petsc::View(owned_.get()).data());
  {
    const petsc::View ghost(ghost_.get());
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(n_owned_), ghost.size(), ghost.data());
  }
  SCREE_PETSC(
      VecScatterBegin(scatter_.get(), ghost_.get(), owned_.get(), ADD_VALUES, SCATTER_REVERSE));
  SCREE_PETSC(
      VecScatterEnd(scatter_.get(), ghost_.get(), owned_.get(), ADD_VALUES, SCATTER_REVERSE));
  std::copy_n(petsc::ConstView(owned_.get()).data(), n_owned_, values.begin());
}

}  // namespace scree
