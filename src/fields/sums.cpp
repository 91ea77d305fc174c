#include "scree/fields/sums.hpp"

#include <algorithm>
#include <cmath>

#include "kernel.hpp"
#include "scree/base/sum_on_rank.hpp"

namespace scree {
namespace {

/// Gauss's rule on [0, 1].
struct Node {
  double place;
  double weight;
};
constexpr std::array<Node, 4> kGauss{{{0.0694318442029737, 0.1739274225687269},
                                      {0.3300094782075719, 0.3260725774312731},
                                      {0.6699905217924281, 0.3260725774312731},
                                      {0.9305681557970263, 0.1739274225687269}}};

/// Pieces of the branch that are as long as h, at least.
constexpr double kPiecesAUnit = 2.0;

}  // namespace

FieldSums::FieldSums(const FieldGrid& grid, double width)
    : grid_(grid),
      unit_(spline_unit(width)),
      blocks_((grid.n_cells() + kBlockCells - 1) / kBlockCells) {}

void FieldSums::clear() {
  blocks_.assign(blocks_.size(), {});
}

FieldSums::Block& FieldSums::block_of(std::int64_t cell) {
  const std::int64_t number = cell / kBlockCells;
  Block& block = blocks_[number];
  if (block.shares.empty()) {
    const std::int64_t cells = std::min(kBlockCells, grid_.n_cells() - number * kBlockCells);
    block.shares.assign(cells, 0.0);
    block.sums.assign(cells * CellSums::kNumbers, 0.0);
  }
  return block;
}

void FieldSums::share_out(const Vec3& x, const Vec3& centre, double share) {
  for (int k = 0; k < 3; ++k) {
    const GridAxis& axis = grid_.axes[k];
    along_[k].clear();
    if (axis.is_averaged()) {
      append_whole_share(axis, centre[k], along_[k]);
    } else {
      append_smooth_shares(axis, x[k], unit_, along_[k]);
    }
    if (along_[k].empty()) return;
  }
  for (const CellShare& z : along_[2]) {
    for (const CellShare& y : along_[1]) {
      const double row = share * z.share * y.share;
      for (const CellShare& along : along_[0]) {
        const std::int64_t cell = grid_.cell(along.cell, y.cell, z.cell);
        double& sum = block_of(cell).shares[cell % kBlockCells];
        if (sum == 0.0) touched_.push_back(cell);
        sum += row * along.share;
      }
    }
  }
}

template <int kCount>
void FieldSums::scatter(int first, const Eigen::Vector<double, kCount>& numbers) {
  for (const std::int64_t cell : touched_) {
    Block& block = blocks_[cell / kBlockCells];
    const std::int64_t i = cell % kBlockCells;
    Eigen::Map<Eigen::Vector<double, kCount>> sum(&block.sums[i * CellSums::kNumbers + first]);
    sum += block.shares[i] * numbers;
    block.shares[i] = 0.0;
  }
  touched_.clear();
}

void FieldSums::add(const GrainState& grain, double dt) {
  share_out(grain.position, grain.position, dt);
  const Vec3& v = grain.velocity;
  const double m = grain.mass;
  Eigen::Vector<double, CellSums::kStress> numbers;
  numbers << m, grain.volume, m * v, m * v.cwiseProduct(v), m * v.y() * v.z(), m * v.x() * v.z(),
      m * v.x() * v.y();
  scatter(CellSums::kMass, numbers);
}

int FieldSums::pieces_of(const Vec3& b) const {
  double longest = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (!grid_.axes[k].is_averaged()) longest = std::max(longest, std::abs(b[k]) / unit_);
  }
  return std::max(1, static_cast<int>(std::ceil(kPiecesAUnit * longest)));
}

void FieldSums::add(const GrainForce& contact, double dt) {
  const Vec3 b = contact.centre - contact.point;
  const int pieces = pieces_of(b);
  for (int piece = 0; piece < pieces; ++piece) {
    for (const Node& node : kGauss) {
      const double s = (piece + node.place) / pieces;
      share_out(contact.point + s * b, contact.centre, dt * node.weight / pieces);
    }
  }
  Eigen::Vector<double, 9> stress;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(stress.data()) =
      -contact.force * b.transpose();
  scatter(CellSums::kStress, stress);
}

void FieldSums::add_wall(const GrainForce& contact, double dt) {
  share_out(contact.point, contact.centre, dt);
  scatter(CellSums::kWall, contact.force);
}

namespace {

/// The first block of the cells of @p rank.
std::int64_t first_block(const FieldSums& sums, int rank, int ranks) {
  const bool are_on_first_rank = sums.grid().n_cells() <= FieldOptions::kMostRows;
  if (are_on_first_rank) return rank == 0 ? 0 : sums.n_blocks();
  return sums.n_blocks() * rank / ranks;
}

/// Which blocks have been added to on any rank. Collective.
std::vector<std::uint8_t> held_blocks(MPI_Comm comm, const FieldSums& sums) {
  std::vector<std::uint8_t> is_held(sums.n_blocks());
  for (std::int64_t k = 0; k < sums.n_blocks(); ++k) is_held[k] = !sums.block(k).empty();
  or_over_ranks(comm, is_held);
  return is_held;
}

}  // namespace

SumsOfCells sums_over_ranks(MPI_Comm comm, const FieldSums& sums) {
  constexpr std::int64_t kBlockNumbers = FieldSums::kBlockCells * CellSums::kNumbers;
  const std::int64_t n_cells = sums.grid().n_cells();
  const int ranks = size_of(comm);
  const auto first_cell = [&](int rank) {
    return std::min(first_block(sums, rank, ranks) * FieldSums::kBlockCells, n_cells);
  };
  const int own_rank = rank_of(comm);
  SumsOfCells all{.first = first_cell(own_rank), .numbers = {}};
  all.numbers.resize((first_cell(own_rank + 1) - all.first) * CellSums::kNumbers);
  const std::vector<std::uint8_t> is_held = held_blocks(comm, sums);
  const std::vector<double> zeros(kBlockNumbers, 0.0);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t begin = first_block(sums, rank, ranks);
    for (std::int64_t k = begin; k < first_block(sums, rank + 1, ranks); ++k) {
      if (is_held[k] == 0) continue;
      const std::int64_t first = k * FieldSums::kBlockCells;
      const std::int64_t cells = std::min(FieldSums::kBlockCells, n_cells - first);
      const std::int64_t count = cells * CellSums::kNumbers;
      const std::span<const double> own = sums.block(k);
      std::span<double> sum;
      if (rank == own_rank) {
        sum = std::span(all.numbers).subspan((first - all.first) * CellSums::kNumbers, count);
      }
      sum_on_rank(comm, rank, own.empty() ? std::span(zeros).first(count) : own, sum);
    }
  }
  return all;
}

}  // namespace scree
