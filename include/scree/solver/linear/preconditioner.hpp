#pragma once

/// The preconditioners of the Krylov methods, by name.

#include <optional>
#include <string_view>

#include "scree/base/enumeration.hpp"
#include "scree/base/petsc.hpp"

namespace scree {

enum class Preconditioner {
  none,
  point_jacobi,  ///< inverse of the diagonal blocks, of a body or a cone; knows no ranks
  ssor,          ///< symmetric successive over-relaxation within a rank
  block_jacobi,  ///< the rank's own part of the matrix, factorised
  schwarz,    ///< the rank's own part and the neighbours of its rows, factorised; results are added
  multigrid,  ///< smoothed aggregation, with symmetric Gauss-Seidel smoothing
  incomplete_cholesky,  ///< IC(0) within a rank, of bodies by blocks
  incomplete_lu,        ///< ILU(0) within a rank
};
template <>
inline constexpr std::array kNamesOf<Preconditioner> = names("none", "point_jacobi", "ssor",
                                                             "block_jacobi", "schwarz", "multigrid",
                                                             "ic", "ilu");

/// Whether @p preconditioner wants MATAIJ where the matrix is MATBAIJ.
bool wants_scalar_format(Preconditioner preconditioner);

/// Collective. Sets up the preconditioner of @p ksp, whose operators are set. @p uniform_blocks:
/// MATBAIJ, otherwise MATAIJ with variable blocks set.
void set_preconditioner(KSP ksp, Preconditioner preconditioner, bool uniform_blocks);

}  // namespace scree
