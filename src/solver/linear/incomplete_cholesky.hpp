#pragma once

/// Incomplete Cholesky factors of a matrix of bodies, block by block, on the pattern of the matrix:
///
///     K ~ L L^T,   L_ij = (K_ij - sum_k L_ik L_jk^T) L_jj^-T,   L_ii L_ii^T = S_i
///     S_i = K_ii - sum_k L_ik L_ik^T,  lifted
///
/// A pivot S_i may become indefinite, or too small for what is divided by it, since products
/// outside the pattern are dropped. It is lifted where it is so, and there alone: K_ii = D D^T is
/// the unit in which it is judged, and eigenvalues of D^-1 S_i D^-T below a bound become that
/// bound. So the factors are those of a matrix scaled by its diagonal blocks, whatever the scales
/// of bodies are, and L L^T is definite. Couplings of bodies of different ranks are left out.
///
/// | symbol | meaning                                             | shape   |
/// | ---    | ---                                                 | ---     |
/// | K      | MATBAIJ, symmetric, of definite diagonal blocks     | d a body |
/// | L      | lower triangular by blocks, on the pattern of K     | d x d   |
///
/// Reference: Manteuffel (1980) for shifts of incomplete factors; Meijerink, van der Vorst (1977).

#include "scree/base/petsc.hpp"

namespace scree {

/// Makes @p pc precondition by these factors, made anew where the values of its matrix change. @pre
/// that is a MATBAIJ with blocks of 3 or 6.
void set_incomplete_cholesky(PC pc);

}  // namespace scree
