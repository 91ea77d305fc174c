#include "body_space.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// The bodies that share a cone with each local body, itself among them.
std::vector<std::vector<std::int32_t>> neighbours(const BodyPattern& pattern) {
  std::vector<std::vector<std::int32_t>> of(pattern.n_bodies());
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(of.size()); ++b) {
    of[b].push_back(b);
  }
  for (std::size_t i = 0; i < pattern.n_cones(); ++i) {
    const BodiesOfCone bodies = pattern.bodies(i);
    for (const std::int32_t body : bodies) {
      of[body].insert(of[body].end(), bodies.begin(), bodies.end());
    }
  }
  for (auto& list : of) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return of;
}

}  // namespace

BodySpace::BodySpace(const ContactProblem& problem, BodyRows rows, Storage storage,
                     std::int64_t countable)
    : cones_(problem.cones),
      pattern_(std::move(rows.pattern)),
      exchange_(body_exchange(problem)),
      storage_(storage) {
  const std::vector<int> columns = columns_that_count(problem.comm, rows);
  planar_ = are_planar(columns);
  take_values(std::move(rows.values), columns);
  n_owned_ = stride() * static_cast<std::size_t>(pattern_.n_owned);
  create(problem.comm, countable);
}

void BodySpace::take_values(std::vector<double> values, std::span<const int> columns) {
  dofs_ = static_cast<int>(columns.size());
  if (dofs_ == kBodyDofs) {
    values_ = std::move(values);
    return;
  }
  values_.reserve(values.size() / kBodyDofs * stride());
  for (auto row = values.begin(); row != values.end(); row += kBodyDofs) {
    for (const int column : columns) values_.push_back(row[column]);
  }
}

void BodySpace::balance(const std::vector<double>& x, Numbers& result) {
  result.assign(n_known(), 0.0);
  with_dofs([&]<int kDofs>() {
    for_each_place(cones_, [&]<int kDim>(const ConePlace& at) {
      add_impulse<kDim, kDofs>(at.number, rows_of<kDim>(&x[at.row]), result);
    });
  });
  exchange_.add_to_owners(result);
}

/// @p ranges: first body of each rank, and their number.
void BodySpace::number_bodies(std::span<const PetscInt> ranges, int rank) {
  global_.resize(pattern_.n_bodies());
  std::iota(global_.begin(), global_.begin() + pattern_.n_owned, ranges[rank]);
  std::copy(pattern_.ghosts.begin(), pattern_.ghosts.end(), global_.begin() + pattern_.n_owned);
}

/// Blocks of each row of K: in its owner's columns, and in those of others. A pair that several
/// ranks see is counted several times, which does no harm. Collective.
std::vector<double> BodySpace::count_blocks(std::span<const PetscInt> ranges) {
  const auto owner = [&](std::size_t body) {
    return std::upper_bound(ranges.begin(), ranges.end(), global_[body]) - ranges.begin();
  };
  std::vector<double> counts(2 * pattern_.n_bodies(), 0.0);
  const auto of = neighbours(pattern_);
  for (std::size_t b = 0; b < of.size(); ++b) {
    for (const std::int32_t c : of[b]) counts[2 * b + (owner(b) == owner(c) ? 0U : 1U)] += 1.0;
  }
  exchange_.add_to_owners(counts);
  return counts;
}

/// Whole, if K with the blocks @p counts can be counted. Collective.
void BodySpace::choose_storage(MPI_Comm comm, const std::vector<double>& counts,
                               std::int64_t countable) {
  const double blocks = std::accumulate(
      counts.begin(), counts.begin() + 2 * static_cast<std::ptrdiff_t>(pattern_.n_owned), 0.0);
  const auto entries = static_cast<std::int64_t>(blocks) * dofs_ * dofs_;
  std::string fault =
      petsc::fault_of_share(max_over_ranks(comm, entries), "entries of the matrix of the bodies",
                            size_of(comm), countable);
  if (!fault.empty() && storage_ == Storage::whole) {
    throw Failure(fault +
                  ", or a method that stores no matrix: sweeps, or ipm with cg, bicgstab or "
                  "gmres and point_jacobi");
  }
  storage_ = fault.empty() ? Storage::whole : Storage::diagonal_blocks;
  why_not_whole_ = std::move(fault);
}

void BodySpace::create(MPI_Comm comm, std::int64_t countable) {
  const petsc::Vector bodies = petsc::make_vector(comm, pattern_.n_owned);
  const PetscInt* first_of = nullptr;
  SCREE_PETSC(VecGetOwnershipRanges(bodies.get(), &first_of));
  const std::span<const PetscInt> ranges(first_of, size_of(comm) + std::size_t{1});
  number_bodies(ranges, rank_of(comm));
  std::vector<double> counts;
  if (storage_ != Storage::diagonal_blocks) {
    counts = count_blocks(ranges);
    choose_storage(comm, counts, countable);
  }
  if (storage_ == Storage::diagonal_blocks) {
    counts.assign(2 * pattern_.n_bodies(), 0.0);
    for (std::size_t b = 0; b < counts.size(); b += 2) counts[b] = 1.0;
  }
  const PetscInt n_all = ranges.back();
  std::vector<PetscInt> inner;
  std::vector<PetscInt> outer;
  for (std::size_t b = 0; b < static_cast<std::size_t>(pattern_.n_owned); ++b) {
    inner.push_back(std::min(static_cast<PetscInt>(counts[2 * b]), PetscInt{pattern_.n_owned}));
    outer.push_back(
        std::min(static_cast<PetscInt>(counts[2 * b + 1]), n_all - PetscInt{pattern_.n_owned}));
  }
  SCREE_PETSC(MatCreate(comm, matrix_.out()));
  const PetscInt n = pattern_.n_owned * dofs_;
  SCREE_PETSC(MatSetSizes(matrix_.get(), n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  SCREE_PETSC(MatSetType(matrix_.get(), MATBAIJ));
  SCREE_PETSC(MatSeqBAIJSetPreallocation(matrix_.get(), dofs_, 0, inner.data()));
  SCREE_PETSC(MatMPIBAIJSetPreallocation(matrix_.get(), dofs_, 0, inner.data(), 0, outer.data()));
}

void BodySpace::assemble(const std::vector<double>& h) {
  const LogStage stage(Stage::matrix_values);
  SCREE_PETSC(MatZeroEntries(matrix_.get()));
  with_dofs([&]<int kDofs>() { add_cones<kDofs>(h); });
  SCREE_PETSC(MatAssemblyBegin(matrix_.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix_.get(), MAT_FINAL_ASSEMBLY));
}

/// Adds I + G^T H G to the matrix.
template <int kDofs>
void BodySpace::add_cones(const std::vector<double>& h) {
  using Block = Eigen::Matrix<double, kDofs, kDofs, Eigen::RowMajor>;
  const Block unit = Block::Identity();
  for (std::int32_t b = 0; b < pattern_.n_owned; ++b) {
    add_block(std::span(&global_[b], 1), unit.data());
  }
  for_each_block(cones_, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
    const std::int32_t first = pattern_.first[at.number];
    const std::int32_t last = pattern_.first[at.number + 1];
    const std::int32_t together = storage_ == Storage::whole ? last - first : 1;
    for (std::int32_t e = first; e < last; e += together) {
      add_entries<kDim, kDofs>(at.number, e, e + together, block);
    }
  });
}

/// Adds what some entries of a cone couple, with one call of PETSc.
template <int kDim, int kDofs>
void BodySpace::add_entries(std::size_t cone, std::int32_t first, std::int32_t last,
                            const ConeBlock<kDim>& h) {
  using Block = Eigen::Matrix<double, kDofs, kDofs, Eigen::RowMajor>;
  using Place = Eigen::Map<Block, 0, Eigen::OuterStride<>>;
  const std::size_t n = last - first;
  coupled_.clear();
  couplings_.resize(n * n * kDofs * kDofs);
  for (std::int32_t e = first; e < last; ++e) {
    coupled_.push_back(global_[body(e)]);
    const Entry<kDim, kDofs> scaled = h * entry_of<kDim, kDofs>(cone, e);
    for (std::int32_t f = first; f < last; ++f) {
      const std::size_t row = static_cast<std::size_t>(f - first) * kDofs;
      const std::size_t column = static_cast<std::size_t>(e - first) * kDofs;
      Place(&couplings_[row * n * kDofs + column], Eigen::OuterStride<>(n * kDofs)) =
          entry_of<kDim, kDofs>(cone, f).transpose() * scaled;
    }
  }
  add_block(coupled_, couplings_.data());
}

void BodySpace::add_block(std::span<const PetscInt> bodies, const double* values) {
  const auto n = static_cast<PetscInt>(bodies.size());
  SCREE_PETSC(
      MatSetValuesBlocked(matrix_.get(), n, bodies.data(), n, bodies.data(), values, ADD_VALUES));
}

void BodySpace::multiply(const std::vector<double>& h, Numbers& w, Numbers& result) {
  to_ghosts(w);
  result.assign(n_known(), 0.0);
  with_dofs([&]<int kDofs>() {
    for_each_block(cones_, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
      add_impulse<kDim, kDofs>(at.number, block * velocity_of<kDim, kDofs>(at.number, w), result);
    });
  });
  exchange_.add_to_owners(result);
  for (std::size_t k = 0; k < n_owned_; ++k) result[k] += w[k];
}

}  // namespace scree
