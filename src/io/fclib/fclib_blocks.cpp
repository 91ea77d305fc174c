#include "fclib_blocks.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <numeric>
#include <span>

#include "fclib_file.hpp"
#include "fclib_graph.hpp"

namespace scree::fclib {
namespace {

constexpr std::int32_t kBodyRows = 6;

/// The lowest number that each of this rank's rows is joined to by entries between such rows.
std::vector<std::int32_t> join_own_rows(Mat mass, const Shares& dofs) {
  std::vector<std::int32_t> parent(dofs.count());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int32_t k) {
    while (parent[k] != k) {
      std::int32_t& up = parent[k];
      up = parent[up];
      k = up;
    }
    return k;
  };
  const auto first = static_cast<std::int32_t>(dofs.begin());
  for_each_entry(mass, [&](std::int32_t row, std::int32_t column, double) {
    if (!dofs.owns(column)) return;
    const std::int32_t a = root(row - first);
    const std::int32_t b = root(column - first);
    parent[std::max(a, b)] = std::min(a, b);
  });
  std::vector<std::int32_t> lowest(parent.size());
  for (std::size_t k = 0; k < lowest.size(); ++k) {
    lowest[k] = first + root(static_cast<std::int32_t>(k));
  }
  return lowest;
}

/// The lowest number in the block of each of this rank's rows. Collective.
std::vector<std::int32_t> lowest_of_blocks(MPI_Comm comm, Mat mass, const Shares& dofs) {
  std::vector<std::int32_t> lowest = join_own_rows(mass, dofs);
  std::vector<std::int32_t> rows;  // of entries that join rows of two ranks
  std::vector<std::int32_t> columns;
  for_each_entry(mass, [&](std::int32_t row, std::int32_t column, double) {
    if (dofs.owns(column)) return;
    rows.push_back(row);
    columns.push_back(column);
  });
  columns = fetch(comm, dofs, lowest, columns);
  Graph graph(comm, dofs);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    graph.link(lowest[rows[k] - dofs.begin()], columns[k]);
  }
  graph.close();
  const std::vector<std::int32_t> component = graph.components();
  for (std::int32_t& number : lowest) number = component[number - dofs.begin()];
  return lowest;
}

/// The most rows of a block whose lowest is this rank's. Collective.
std::int64_t largest_block(MPI_Comm comm, const Shares& dofs, const Blocks& blocks) {
  const auto owner = [&dofs](std::int32_t lowest) { return dofs.owner(lowest); };
  std::vector<std::int64_t> size(dofs.count(), 0);
  std::int64_t largest = 0;
  for (const std::int32_t lowest : send(comm, blocks.lowest, owner)) {
    largest = std::max(largest, ++size[lowest - dofs.begin()]);
  }
  return max_over_ranks(comm, largest);
}

/// An entry of the block whose lowest row is `block`.
struct BlockEntry {
  std::int32_t block;
  Entry entry;
};

/// Adds the inverse of the block of @p entries to @p inverse. @throws InputError.
void invert_block(std::span<const BlockEntry> entries, Assembly& inverse,
                  const std::filesystem::path& path) {
  std::vector<std::int32_t> rows;
  for (const BlockEntry& each : entries) {
    rows.push_back(each.entry.row);
    rows.push_back(each.entry.column);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto place = [&rows](std::int32_t row) {
    return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
  };
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
  for (const BlockEntry& each : entries) {
    dense(place(each.entry.row), place(each.entry.column)) += each.entry.value;
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(dense);
  if (!lu.isInvertible()) refuse(path, fmt::format("M is singular at row {}", rows.front()));
  const Eigen::MatrixXd result = lu.inverse();
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index l = 0; l < n; ++l) inverse.add(rows[k], rows[l], result(k, l));
  }
}

/// The entries of the blocks whose lowest rows are this rank's, block by block. Collective.
std::vector<BlockEntry> gather_blocks(MPI_Comm comm, Mat mass, const Shares& dofs,
                                      const Blocks& blocks) {
  std::vector<BlockEntry> own;
  std::vector<BlockEntry> foreign;
  for_each_entry(mass, [&](std::int32_t row, std::int32_t column, double value) {
    const std::int32_t block = blocks.lowest[row - dofs.begin()];
    (dofs.owns(block) ? own : foreign).push_back({block, {row, column, value}});
  });
  const std::vector<BlockEntry> received =
      send(comm, foreign, [&dofs](const BlockEntry& each) { return dofs.owner(each.block); });
  own.insert(own.end(), received.begin(), received.end());
  std::stable_sort(own.begin(), own.end(),
                   [](const BlockEntry& a, const BlockEntry& b) { return a.block < b.block; });
  return own;
}

/// A row without entries is in no list of them.
void refuse_empty_rows(Mat mass, const std::filesystem::path& path) {
  PetscInt row = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(mass, &row, &end));
  for (; row < end; ++row) {
    PetscInt n = 0;
    SCREE_PETSC(MatGetRow(mass, row, &n, nullptr, nullptr));
    const bool is_empty = n == 0;
    SCREE_PETSC(MatRestoreRow(mass, row, &n, nullptr, nullptr));
    if (is_empty) refuse(path, fmt::format("M is singular at row {}", row));
  }
}

}  // namespace

Blocks find_blocks(MPI_Comm comm, Mat matrix, const Shares& dofs) {
  Blocks blocks;
  blocks.lowest = lowest_of_blocks(comm, matrix, dofs);
  blocks.are_small = largest_block(comm, dofs, blocks) <= kLargestBlock;
  int within_bodies = dofs.total() % kBodyRows == 0 ? 1 : 0;
  for (std::size_t k = 0; k < blocks.lowest.size(); ++k) {
    const std::int64_t row = dofs.begin() + static_cast<std::int64_t>(k);
    if (row / kBodyRows != blocks.lowest[k] / kBodyRows) within_bodies = 0;
  }
  blocks.are_rigid_bodies = min_over_ranks(comm, within_bodies) != 0;
  return blocks;
}

petsc::Matrix inverse_of(MPI_Comm comm, Mat matrix, const Shares& dofs, const Blocks& blocks,
                         const std::filesystem::path& path) {
  const std::vector<BlockEntry> entries = gather_blocks(comm, matrix, dofs, blocks);
  Assembly inverse(comm, dofs);
  refuse_on_all(comm, path, [&] {
    refuse_empty_rows(matrix, path);
    for (auto first = entries.begin(); first != entries.end();) {
      const auto end = std::find_if(first, entries.end(), [first](const BlockEntry& each) {
        return each.block != first->block;
      });
      invert_block({first, end}, inverse, path);
      first = end;
    }
  });
  inverse.send();
  return make_matrix(comm, inverse, dofs);
}

}  // namespace scree::fclib
