#include "scree/solver/linear/body_space.hpp"

#include <algorithm>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// Collective. 3 where the columns of rotation are zero on every rank, else 6.
int count_dofs(MPI_Comm comm, const BodyRows& rows) {
  bool turns = false;
  for (std::size_t k = 0; k < rows.values.size() && !turns; ++k) {
    turns = k % kBodyDofs >= kLinearDofs && rows.values[k] != 0.0;
  }
  return max_over_ranks(comm, turns ? 1 : 0) != 0 ? kBodyDofs : kLinearDofs;
}

/// The bodies that share a cone with each local body, itself among them.
std::vector<std::vector<std::int32_t>> neighbours(const BodyRows& rows) {
  std::vector<std::vector<std::int32_t>> of(rows.n_bodies());
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(of.size()); ++b) {
    of[static_cast<std::size_t>(b)].push_back(b);
  }
  for (std::size_t i = 0; i < rows.n_cones(); ++i) {
    for (std::int32_t e = rows.first[i]; e < rows.first[i + 1]; ++e) {
      auto& list = of[static_cast<std::size_t>(rows.body[static_cast<std::size_t>(e)])];
      for (std::int32_t f = rows.first[i]; f < rows.first[i + 1]; ++f) {
        list.push_back(rows.body[static_cast<std::size_t>(f)]);
      }
    }
  }
  for (auto& list : of) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return of;
}

}  // namespace

BodySpace::BodySpace(const ContactProblem& problem, BodyRows rows, Storage storage)
    : rows_(std::move(rows)),
      dofs_(count_dofs(problem.comm, rows_)),
      exchange_(problem.comm, rows_, dofs_),
      storage_(storage),
      n_owned_(static_cast<std::size_t>(rows_.n_owned) * stride()) {
  PetscInt first = 0;
  SCREE_PETSC(MatGetOwnershipRange(problem.delassus.inverse_mass.get(), &first, nullptr));
  global_.resize(rows_.n_bodies());
  for (std::int32_t b = 0; b < rows_.n_owned; ++b) {
    global_[static_cast<std::size_t>(b)] = first / kBodyDofs + b;
  }
  std::copy(rows_.ghosts.begin(), rows_.ghosts.end(), global_.begin() + rows_.n_owned);
  take_values();
  create(problem);
}

/// The columns that count.
void BodySpace::take_values() {
  values_.reserve(rows_.values.size() / kBodyDofs * stride());
  for (auto row = rows_.values.begin(); row != rows_.values.end(); row += kBodyDofs) {
    values_.insert(values_.end(), row, row + dofs_);
  }
  rows_.values = std::vector<double>();
}

Vec3 BodySpace::velocity(std::size_t i, const Numbers& w) const {
  return with_constant([&](auto dofs) { return velocity_of<dofs>(i, w); });
}

void BodySpace::balance(const std::vector<Vec3>& x, Numbers& result) {
  result.assign(rows_.n_bodies() * stride(), 0.0);
  with_constant([&](auto dofs) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        Eigen::Map<Dofs<dofs>>(&result[place(e)]) += entry_of<dofs>(e).transpose() * x[i];
      }
    }
  });
  exchange_.add_to_owners(result);
}

void BodySpace::create(const ContactProblem& problem) {
  const BodyRows& rows = rows_;
  const PetscInt* ranges = nullptr;
  SCREE_PETSC(MatGetOwnershipRanges(problem.delassus.inverse_mass.get(), &ranges));
  const int n_ranks = size_of(problem.comm);
  const auto owner = [&](std::size_t body) {
    return std::upper_bound(ranges, ranges + n_ranks + 1, global_[body] * kBodyDofs) - ranges - 1;
  };
  // blocks of a row in its owner's columns, and in those of others; a pair that several ranks see
  // is counted several times, which does no harm
  std::vector<double> counts(2 * rows.n_bodies(), 0.0);
  if (storage_ == Storage::whole) {
    const auto of = neighbours(rows);
    for (std::size_t b = 0; b < of.size(); ++b) {
      for (const std::int32_t c : of[b]) {
        const bool same = owner(b) == owner(static_cast<std::size_t>(c));
        counts[2 * b + (same ? 0U : 1U)] += 1.0;
      }
    }
    BodyExchange(problem.comm, rows, 2).add_to_owners(counts);
  } else {
    for (std::size_t b = 0; b < counts.size(); b += 2) counts[b] = 1.0;
  }
  const PetscInt n_all = ranges[n_ranks] / kBodyDofs;
  std::vector<PetscInt> inner;
  std::vector<PetscInt> outer;
  for (std::size_t b = 0; b < static_cast<std::size_t>(rows.n_owned); ++b) {
    inner.push_back(std::min(static_cast<PetscInt>(counts[2 * b]), PetscInt{rows.n_owned}));
    outer.push_back(
        std::min(static_cast<PetscInt>(counts[2 * b + 1]), n_all - PetscInt{rows.n_owned}));
  }
  SCREE_PETSC(MatCreate(problem.comm, matrix_.out()));
  const PetscInt n = rows.n_owned * dofs_;
  SCREE_PETSC(MatSetSizes(matrix_.get(), n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  SCREE_PETSC(MatSetType(matrix_.get(), MATBAIJ));
  SCREE_PETSC(MatSeqBAIJSetPreallocation(matrix_.get(), dofs_, 0, inner.data()));
  SCREE_PETSC(MatMPIBAIJSetPreallocation(matrix_.get(), dofs_, 0, inner.data(), 0, outer.data()));
}

void BodySpace::assemble(const std::vector<Mat3>& h) {
  const LogStage stage(Stage::matrix_values);
  SCREE_PETSC(MatZeroEntries(matrix_.get()));
  with_constant([&](auto dofs) { add_cones<dofs>(h); });
  SCREE_PETSC(MatAssemblyBegin(matrix_.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix_.get(), MAT_FINAL_ASSEMBLY));
}

/// Adds I + G^T H G to the matrix.
template <int kDofs>
void BodySpace::add_cones(const std::vector<Mat3>& h) {
  using Block = Eigen::Matrix<double, kDofs, kDofs, Eigen::RowMajor>;
  const Block unit = Block::Identity();
  for (std::size_t b = 0; b < static_cast<std::size_t>(rows_.n_owned); ++b) {
    add_block(std::span(&global_[b], 1), unit.data());
  }
  for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
    if (storage_ == Storage::whole) {
      add_entries<kDofs>(rows_.first[i], rows_.first[i + 1], h[i]);
    } else {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        add_entries<kDofs>(e, e + 1, h[i]);
      }
    }
  }
}

/// Adds what some entries of a cone couple, with one call of PETSc.
template <int kDofs>
void BodySpace::add_entries(std::int32_t first, std::int32_t last, const Mat3& h) {
  using Block = Eigen::Matrix<double, kDofs, kDofs, Eigen::RowMajor>;
  using Place = Eigen::Map<Block, 0, Eigen::OuterStride<>>;
  const auto n = static_cast<std::size_t>(last - first);
  coupled_.clear();
  couplings_.resize(n * n * kDofs * kDofs);
  for (std::int32_t e = first; e < last; ++e) {
    coupled_.push_back(global_[static_cast<std::size_t>(rows_.body[static_cast<std::size_t>(e)])]);
    const Entry<kDofs> scaled = h * entry_of<kDofs>(e);
    for (std::int32_t f = first; f < last; ++f) {
      const auto row = static_cast<std::size_t>(f - first) * kDofs;
      const auto column = static_cast<std::size_t>(e - first) * kDofs;
      Place(&couplings_[row * n * kDofs + column],
            Eigen::OuterStride<>(static_cast<Eigen::Index>(n * kDofs))) =
          entry_of<kDofs>(f).transpose() * scaled;
    }
  }
  add_block(coupled_, couplings_.data());
}

void BodySpace::add_block(std::span<const PetscInt> bodies, const double* values) {
  const auto n = static_cast<PetscInt>(bodies.size());
  SCREE_PETSC(
      MatSetValuesBlocked(matrix_.get(), n, bodies.data(), n, bodies.data(), values, ADD_VALUES));
}

void BodySpace::multiply(const std::vector<Mat3>& h, Numbers& w, Numbers& result) {
  to_ghosts(w);
  impulses_.resize(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) impulses_[i] = h[i] * velocity(i, w);
  balance(impulses_, result);
  for (std::size_t k = 0; k < n_owned_; ++k) result[k] += w[k];
}

}  // namespace scree
