#pragma once

/// Block diagonal matrices whose blocks, the connected components of their graphs, are as small as
/// bodies: masses and their inverses.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "fclib_matrix.hpp"

namespace scree::fclib {

inline constexpr int kLargestBlock = 64;

struct Blocks {
  bool are_small = false;  ///< none has more rows than kLargestBlock
  /// Every one lies within six consecutive rows from a multiple of six.
  bool are_rigid_bodies = false;
  std::vector<std::int32_t> lowest;  ///< number in the block of each of this rank's rows
};

/// Those of @p matrix, whose rows and columns are shared by @p dofs. Collective.
Blocks find_blocks(MPI_Comm comm, Mat matrix, const Shares& dofs);

/// The inverse of @p matrix, block by block. Collective. @pre the blocks are small. @throws
/// InputError that names @p path where one is singular.
petsc::Matrix inverse_of(MPI_Comm comm, Mat matrix, const Shares& dofs, const Blocks& blocks,
                         const std::filesystem::path& path);

}  // namespace scree::fclib
