#pragma once

/// Non-smooth Gauss-Seidel: contact after contact, each solved exactly with all others held.
///
///     sweep:  for each cone i of this rank, in order
///               u_i = (N lambda + r)_i                    with the newest impulses of this rank
///               l   = the impulse of one_contact.hpp for A = D_ii (below), q = u_i - A lambda_i
///               lambda_i <- P_K( lambda_i + omega (l - lambda_i) )
///
/// | symbol  | meaning                                            | unit      |
/// | ---     | ---                                                | ---       |
/// | omega   | over-relaxation, falls back to 1 when it does harm | 1         |
/// | theta_i | coupling to the contacts of other ranks, below; 0 where bodies are split | m/s per N s |
///
/// Between ranks, in this one place. Impulses of other ranks are those of the sweep before, and a rank
/// works with a matrix D that has no blocks between ranks and bounds N from above, N <= D:
///
/// - Rigid bodies, N = sum_b B_b B_b^T: mass splitting. A body that the cones of k_b ranks touch counts
///   on each of them with 1/k_b of its mass; after the sweep the whole body gets the mean of what its
///   parts did. With B_b split by rank into B_bp,
///       |sum_p B_bp^T x_p|^2 <= k_b sum_p |B_bp^T x_p|^2,  so that  D = diag_p(sum_b k_b B_bp B_bp^T).
/// - A matrix: l1 hybrid Gauss-Seidel. D is N without the blocks between ranks, plus theta_i I with
///   theta_i the absolute row sums of those blocks (block Gershgorin).
///
/// Why that converges (associated law, N symmetric): for the move d of a sweep
/// F(lambda + d) <= F(lambda) + grad^T d + 1/2 d^T D d =: Q(d), with equality at d = 0. A sweep lowers
/// Q cone by cone, rank by rank; hence F falls in every sweep whatever the number of ranks, and it
/// stops falling only where no cone can lower Q, that is, where each cone's condition holds with d = 0:
/// at a solution of the problem itself. For the exact law there is no such proof on any number of
/// ranks; the fixed points are the same.
///
/// On rigid bodies a sweep works on w = B^T lambda (problem/body_rows.hpp) and never forms N;
/// otherwise on the rows of N in 3 x 3 blocks.
/// References: Jourdan, Alart, Jean (1998), CMAME 155; Moreau, Jean; Baker, Falgout, Kolev, Yang,
/// Multigrid smoothers for ultraparallel computing, SIAM J. Sci. Comput. 33 (2011), section 5; Tonge,
/// Benevolenski, Voroshilov, Mass splitting for jitter-free parallel rigid body simulation, ACM Trans.
/// Graph. 31 (2012).

#include <memory>

#include "scree/solver/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

std::unique_ptr<Solver> make_nsgs(const SolverOptions& options);

}  // namespace scree
