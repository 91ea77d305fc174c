#include "body_space.hpp"

#include <algorithm>
#include <type_traits>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// Linear velocities only.
constexpr int kLinear = 3;

/// The columns of an entry that count.
template <int kDofs>
auto entry_of(const BodyRows& rows, std::int32_t entry) {
  using Entry = Eigen::Matrix<double, kConeRows, kDofs, Eigen::RowMajor>;
  return Eigen::Map<const Entry, 0, Eigen::OuterStride<kBodyDofs>>(rows.block(entry));
}

/// Calls @p work with the number of degrees of freedom as a constant.
template <class Work>
auto with_constant(int dofs, const Work& work) {
  return dofs == kLinear ? work(std::integral_constant<int, kLinear>())
                         : work(std::integral_constant<int, kBodyDofs>());
}

/// Collective. 3 where the columns of rotation are zero on every rank, else 6.
int count_dofs(MPI_Comm comm, const BodyRows& rows) {
  bool turns = false;
  for (std::size_t k = 0; k < rows.values.size() && !turns; ++k) {
    turns = k % kBodyDofs >= kLinear && rows.values[k] != 0.0;
  }
  return max_over_ranks(comm, turns ? 1 : 0) != 0 ? kBodyDofs : kLinear;
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
  create(problem);
}

Vec3 BodySpace::velocity(std::size_t i, const Numbers& w) const {
  return with_constant(dofs_, [&](auto dofs) {
    using Dofs = Eigen::Matrix<double, dofs, 1>;
    Vec3 u = Vec3::Zero();
    for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
      u += entry_of<dofs>(rows_, e) * Eigen::Map<const Dofs>(&w[place(e)]);
    }
    return u;
  });
}

void BodySpace::balance(const std::vector<Vec3>& x, Numbers& result) {
  result.assign(rows_.n_bodies() * stride(), 0.0);
  with_constant(dofs_, [&](auto dofs) {
    using Dofs = Eigen::Matrix<double, dofs, 1>;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        Eigen::Map<Dofs>(&result[place(e)]) += entry_of<dofs>(rows_, e).transpose() * x[i];
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
  with_constant(dofs_, [&](auto dofs) { add_cones<dofs>(h); });
  SCREE_PETSC(MatAssemblyBegin(matrix_.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix_.get(), MAT_FINAL_ASSEMBLY));
}

/// Adds I + G^T H G to the matrix.
template <int kDofs>
void BodySpace::add_cones(const std::vector<Mat3>& h) {
  using Block = Eigen::Matrix<double, kDofs, kDofs, Eigen::RowMajor>;
  const BodyRows& rows = rows_;
  const auto add = [this](std::size_t row, std::size_t column, const Block& block) {
    SCREE_PETSC(MatSetValuesBlocked(matrix_.get(), 1, &global_[row], 1, &global_[column],
                                    block.data(), ADD_VALUES));
  };
  const Block unit = Block::Identity();
  for (std::size_t b = 0; b < static_cast<std::size_t>(rows.n_owned); ++b) add(b, b, unit);
  for (std::size_t i = 0; i < rows.n_cones(); ++i) {
    for (std::int32_t e = rows.first[i]; e < rows.first[i + 1]; ++e) {
      const Eigen::Matrix<double, kConeRows, kDofs> scaled = h[i] * entry_of<kDofs>(rows, e);
      for (std::int32_t f = rows.first[i]; f < rows.first[i + 1]; ++f) {
        if (f != e && storage_ == Storage::diagonal_blocks) continue;
        const Block block = entry_of<kDofs>(rows, f).transpose() * scaled;
        add(static_cast<std::size_t>(rows.body[static_cast<std::size_t>(f)]),
            static_cast<std::size_t>(rows.body[static_cast<std::size_t>(e)]), block);
      }
    }
  }
}

void BodySpace::multiply(const std::vector<Mat3>& h, Numbers& w, Numbers& result) {
  to_ghosts(w);
  impulses_.resize(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) impulses_[i] = h[i] * velocity(i, w);
  balance(impulses_, result);
  for (std::size_t k = 0; k < n_owned_; ++k) result[k] += w[k];
}

}  // namespace scree
