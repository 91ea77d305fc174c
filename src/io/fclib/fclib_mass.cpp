#include "fclib_mass.hpp"

#include <fmt/format.h>

#include "scree/base/whole_vector.hpp"

namespace scree::fclib {
namespace {

constexpr std::int64_t kLargestFactorised = 20000;

}  // namespace

Sparse whole_matrix(MPI_Comm comm, Mat matrix) {
  std::vector<std::byte> own;
  for_each_entry(matrix, [&own](std::int32_t row, std::int32_t column, double value) {
    append_record(own, Entry{row, column, value});
  });
  RankBytes outgoing;
  for (int rank = 0; rank < size_of(comm); ++rank) outgoing[rank] = own;
  std::vector<Entry> all;
  for (const auto& [from, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, all);
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(all.size());
  for (const Entry& entry : all) triplets.emplace_back(entry.row, entry.column, entry.value);
  PetscInt rows = 0;
  PetscInt columns = 0;
  SCREE_PETSC(MatGetSize(matrix, &rows, &columns));
  Sparse whole(rows, columns);
  whole.setFromTriplets(triplets.begin(), triplets.end());
  return whole;
}

MassInverse::MassInverse(MPI_Comm comm, Mat mass, const Shares& dofs,
                         const std::filesystem::path& path)
    : comm_(comm), dofs_(dofs), blocks_(find_blocks(comm, mass, dofs)) {
  if (blocks_.are_small) {
    inverse_ = inverse_of(comm, mass, dofs, blocks_, path);
    return;
  }
  if (dofs.total() > kLargestFactorised) {
    refuse(path, fmt::format("M couples more than {} degrees of freedom of a body and has {} in "
                             "all; scree factorises it up to {}",
                             kLargestBlock, dofs.total(), kLargestFactorised));
  }
  factors_ = std::make_shared<Eigen::SparseLU<SparseByColumn>>();
  factors_->compute(SparseByColumn(whole_matrix(comm, mass)));
  if (factors_->info() != Eigen::Success) refuse(path, "M is singular");
}

std::vector<double> MassInverse::times(const std::vector<double>& x) const {
  if (by_blocks()) return fclib::times(inverse_.get(), x);
  const std::vector<double> all = whole(make_vector(comm_, x).get());
  const Dense result =
      times_whole(Eigen::Map<const Dense>(all.data(), static_cast<Eigen::Index>(all.size())));
  return {result.begin() + dofs_.begin(), result.begin() + dofs_.end()};
}

}  // namespace scree::fclib
