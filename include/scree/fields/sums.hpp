#pragma once

/// Sums of which fields are made: over grains and contacts, cell by cell, and over time.
///
/// With phi the coarse-graining function, m, V, x, v of a grain, f the force of a contact on a
/// grain at x through the contact's point c, b = x - c:
///
///     rho     = sum m phi(r - x)                 mass density
///     nu      = sum V phi(r - x)                 packing fraction
///     p       = sum m v phi(r - x)               momentum density
///     P       = sum m v v^T phi(r - x)           flux of momentum
///     sigma_c = - sum f b^T int_0^1 phi(r - c - s b) ds        contact stress; tension is positive
///     t       = sum f phi(r - c)                 force density of walls, over the contacts with them
///
/// Each contact of two grains counts twice, once for each of them, which is exact whatever their
/// shapes: the two forces at c cancel. So forces on grains are div sigma_c + t, at every point:
///
///     sum f phi(r - x) = div sigma_c + t,     d p/dt = div (sigma_c - P) + t + (forces of no contacts)
///
/// The integral over s is Gauss's rule of four points on pieces of h/2 at most: integrals of
/// sigma_c over the grid are exact, and its values to 2e-6 of the peak of phi (measured:
/// tests/unit/fields/sums_test.cpp).
///
/// In a direction with one cell, where a grain counts by its centre, its contacts do so too, whole:
/// a point at a wall, which may lie beyond it, is not lost.
///
/// Cells are kept in blocks that begin to be when something reaches them: a rank's memory goes with
/// the space that its grains are in, not with the grid.
///
/// Reference: Goldhirsch, Granular Matter 12 (2010) 239; with walls, Weinhart, Thornton, Luding, Bokhove, Granular
/// Matter 14 (2012) 289, whose interaction force density is -t.

#include <array>
#include <span>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/fields/grid.hpp"

namespace scree {

struct GrainState {
  Vec3 position;        ///< m
  Vec3 velocity;        ///< m/s
  double mass = 0.0;    ///< kg
  double volume = 0.0;  ///< m^3
};

/// A contact's force on one of its grains.
struct GrainForce {
  Vec3 force;   ///< N
  Vec3 point;   ///< of the contact, m
  Vec3 centre;  ///< of the grain, m
};

/// The sums of one cell, times the seconds that they lasted; to be divided by the cell's volume.
struct CellSums {
  static constexpr int kMass = 0, kVolume = 1, kMomentum = 2, kFlux = 5, kStress = 11, kWall = 20;
  static constexpr int kNumbers = 23;
};

class FieldSums {
 public:
  /// @param width of the coarse-graining function, m
  FieldSums(const FieldGrid& grid, double width);

  /// Each holds for @p dt seconds.
  void add(const GrainState& grain, double dt);
  /// The part of sigma_c.
  void add(const GrainForce& contact, double dt);
  /// The part of t, of a contact with a wall, which has its part of sigma_c as well.
  void add_wall(const GrainForce& contact, double dt);
  void clear();

  const FieldGrid& grid() const { return grid_; }
  /// Blocks are of kBlockCells consecutive cells each, the last of those that are left.
  static constexpr std::int64_t kBlockCells = 256;
  std::int64_t n_blocks() const { return static_cast<std::int64_t>(blocks_.size()); }
  /// CellSums::kNumbers a cell of the block, cell after cell; empty where nothing has been added.
  std::span<const double> block(std::int64_t number) const { return blocks_[number].sums; }

 private:
  struct Block {
    std::vector<double> sums;
    std::vector<double> shares;  ///< of each cell, zero but for the touched ones
  };

  /// The block of @p cell, which begins to be.
  Block& block_of(std::int64_t cell);
  /// Adds to shares_ what cells have of @p share at @p x of what belongs to the grain at @p centre.
  void share_out(const Vec3& x, const Vec3& centre, double share);
  /// How many pieces of b the rule of the line integral takes.
  int pieces_of(const Vec3& b) const;
  /// Adds @p numbers, from @p first on, by the shares, which are then zero again.
  template <int kCount>
  void scatter(int first, const Eigen::Vector<double, kCount>& numbers);

  FieldGrid grid_;
  double unit_;  ///< h
  std::vector<Block> blocks_;
  std::vector<std::int64_t> touched_;  ///< cells
  std::array<std::vector<CellShare>, 3> along_;
};

/// Sums of the cells from `first` on: CellSums::kNumbers a cell, cell after cell: xx, yy, zz, yz,
/// xz, xy of the flux, the rows of the stress.
struct SumsOfCells {
  std::int64_t first = 0;
  std::vector<double> numbers;
};

/// The sums of all ranks. Each rank gets those of its cells, which follow on those of the rank
/// before; rank 0 has all cells of a grid that may have a table (FieldOptions::kMostRows). Sent
/// block by block. Collective.
SumsOfCells sums_over_ranks(MPI_Comm comm, const FieldSums& sums);

}  // namespace scree
