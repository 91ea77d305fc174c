#pragma once

/// Non-smooth Gauss-Seidel: contact after contact, each solved exactly with all others held.
///
///     sweep:  for each cone i of this rank, in order
///               u_i = (N lambda + r)_i                    with the newest impulses of this rank
///               l   = the impulse of one_contact.hpp for A = N_ii + theta_i I, q = u_i - A lambda_i
///               lambda_i <- P_K( lambda_i + omega (l - lambda_i) )
///
/// | symbol  | meaning                                            | unit      |
/// | ---     | ---                                                | ---       |
/// | omega   | over-relaxation, falls back to 1 when it does harm | 1         |
/// | theta_i | coupling to the contacts of other ranks, below     | m/s per N s |
///
/// Between ranks, in this one place: impulses of other ranks are those of the sweep before, and each
/// contact pays a proximal term for moving against them,
///
///     theta_i >= sum over off-rank j of |N_ij|      (l1 hybrid Gauss-Seidel)
///
/// Why that converges (associated law, N symmetric): let D be N without the blocks between ranks, O
/// those blocks. For the move d of a sweep, d^T O d <= d^T Theta d (block Gershgorin), so that
/// F(lambda + d) <= F(lambda) + grad^T d + 1/2 d^T (D + Theta) d =: Q(d), with equality at d = 0. A
/// sweep minimises Q cone by cone, rank by rank, in each of which Q falls; hence F falls in every
/// sweep whatever the number of ranks, and it stops falling only where no cone can lower Q, that is,
/// where each cone's condition holds with theta_i d_i = 0: at a solution of the problem itself. For
/// the exact law there is no such proof on any number of ranks; the fixed points are the same.
/// For N = B B^T the bound is theta_i = sum_b |B_ib| (sum over the off-rank cones j of |B_jb|), which
/// needs one number a body from the other ranks; for a matrix, the absolute row sums.
///
/// On rigid bodies a sweep works on w = B^T lambda (problem/body_rows.hpp) and never forms N;
/// otherwise on the rows of N in 3 x 3 blocks.
/// References: Jourdan, Alart, Jean (1998), CMAME 155; Moreau, Jean; Baker, Falgout, Kolev, Yang,
/// Multigrid smoothers for ultraparallel computing, SIAM J. Sci. Comput. 33 (2011), section 5.

#include <memory>

#include "scree/solver/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

std::unique_ptr<Solver> make_nsgs(const SolverOptions& options);

}  // namespace scree
