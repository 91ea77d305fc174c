#include "scree/problem/body_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "matrix_blocks.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/csr_rows.hpp"

namespace scree {
namespace {

/// L of M^-1 = L L^T; a pivot that vanishes beside its diagonal gives a zero column.
Mat6 cholesky(const Mat6& a) {
  constexpr double kVanishing = 1e-14;
  Mat6 l = Mat6::Zero();
  for (int j = 0; j < kBodyDofs; ++j) {
    double pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot -= l(j, k) * l(j, k);
    if (pivot <= kVanishing * a(j, j)) continue;
    const double root = std::sqrt(pivot);
    l(j, j) = root;
    for (int i = j + 1; i < kBodyDofs; ++i) {
      double sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      l(i, j) = sum / root;
    }
  }
  return l;
}

/// For all cones, whose bodies are those of @p pattern: values are most of what a problem holds.
void make_room(const Cones& cones, const BodyPattern& pattern, BodyRows& rows) {
  std::size_t n_entries = 0;
  std::size_t n_values = 0;
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const std::size_t n = pattern.bodies(i).size();
    n_entries += n;
    n_values += n * static_cast<std::size_t>(cones.dim(i)) * kBodyDofs;
  }
  rows.pattern.first.reserve(cones.count() + 1);
  rows.pattern.body.reserve(n_entries);
  rows.pattern.place.reserve(cones.count());
  rows.values.reserve(n_values);
}

BodyRows make_body_rows(const ContactProblem& problem) {
  const BlockRows& blocks = *problem.delassus.blocks;
  BodyRows rows;
  rows.pattern.n_owned = blocks.pattern.n_owned;
  rows.pattern.ghosts = blocks.pattern.ghosts;
  make_room(problem.cones, blocks.pattern, rows);
  std::vector<Mat6> factors;
  factors.reserve(blocks.inverse_mass.size());
  for (std::size_t b = 0; b < blocks.inverse_mass.size(); ++b) {
    factors.push_back(cholesky(blocks.inverse_mass[b]));
  }
  for_each_place(problem.cones, [&]<int kDim>(const ConePlace& at) {
    rows.pattern.place.push_back(rows.values.size());
    rows.pattern.append(blocks.pattern.bodies(at.number));
    for_each_entry<kDim>(blocks, at.number, [&](const auto& j, std::int32_t body) {
      const BodyBlock<kDim> block = j * factors[body].template triangularView<Eigen::Lower>();
      rows.values.insert(rows.values.end(), block.data(), block.data() + block.size());
    });
  });
  return rows;
}

/// L, where @p inverse_mass is block diagonal. Collective.
petsc::Matrix factor_of(MPI_Comm comm, Mat inverse_mass) {
  const std::vector<double> masses = blocks_of_bodies(inverse_mass);
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(inverse_mass, &first, &end));
  CsrRows rows;
  rows.reserve(end - first, 2 * static_cast<std::size_t>(end - first));
  for (PetscInt body = first; body < end; body += kBodyDofs) {
    const std::size_t place = static_cast<std::size_t>(body - first) * kBodyDofs;
    const Mat6 factor = cholesky(Eigen::Map<const Mat6>(&masses[place]));
    for (int k = 0; k < kBodyDofs; ++k) {
      for (int l = 0; l <= k; ++l) {
        if (k == l || factor(k, l) != 0.0) rows.add(body + l, factor(k, l));
      }
      rows.end_row();
    }
  }
  return make_matrix(comm, rows, end - first);
}

}  // namespace

bool has_body_rows(const ContactProblem& problem) {
  const bool known = problem.delassus.blocks != nullptr || problem.forms->body_rows != nullptr;
  return known && problem.delassus.symmetric;
}

std::vector<int> columns_that_count(MPI_Comm comm, const BodyRows& rows) {
  std::vector<std::uint8_t> used(kBodyDofs, 0);
  for (std::size_t k = 0; k < rows.values.size(); ++k) {
    if (rows.values[k] != 0.0) used[k % kBodyDofs] = 1;
  }
  or_over_ranks(comm, used);
  std::vector<int> columns(kBodyDofs);
  std::iota(columns.begin(), columns.end(), 0);
  if (std::ranges::count(used, 1) > kLinearDofs) return columns;
  std::ranges::stable_partition(columns, [&used](int k) { return used[k] != 0; });
  columns.resize(kLinearDofs);
  std::ranges::sort(columns);
  return columns;
}

bool are_planar(std::span<const int> columns) {
  if (columns.size() != kLinearDofs || columns[1] >= kLinearDofs) return false;
  const int normal = kLinearDofs - columns[0] - columns[1];  // of the three axes 0, 1 and 2
  return columns[2] == kLinearDofs + normal;
}

BodyRows product_with_factor(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones) {
  const petsc::Matrix factor = factor_of(comm, inverse_mass);
  petsc::Matrix product;
  SCREE_PETSC(MatMatMult(jacobian, factor.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()));
  return rows_by_bodies(product.get(), cones);
}

std::shared_ptr<const BodyRows> body_rows(const ContactProblem& problem) {
  std::shared_ptr<const BodyRows>& made = problem.forms->body_rows;
  if (!made) made = std::make_shared<const BodyRows>(make_body_rows(problem));
  return made;
}

BodyRows take_body_rows(const ContactProblem& problem) {
  std::shared_ptr<const BodyRows>& made = problem.forms->body_rows;
  if (!made) return make_body_rows(problem);
  BodyRows rows = *made;
  if (problem.delassus.blocks) made.reset();
  return rows;
}

}  // namespace scree
