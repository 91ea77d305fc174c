#pragma once

/// Accelerated projected gradient descent, scaled contact by contact, and by the block of N where
/// half lines act between the same bodies.
///
///     l_(k+1) = P_K( y_k - t D^-1 (N y_k + r + s) )        s = (mu |u_t|, 0, 0) for coulomb, else 0
///     y_(k+1) = l_(k+1) + beta_k (l_(k+1) - l_k)
///
/// | symbol | meaning                                                    |
/// | ---    | ---                                                        |
/// | D      | the metric, in which P_K projects: trace(N_ii) / dim of a cone, or the block of N of the half lines of a pair |
/// | t      | step, at most what d^T N d <= d^T D d / t allows for d = l_(k+1) - y_k |
/// | beta_k | Nesterov's momentum; zero again where it points uphill     |
/// | s      | De Saxce's shift, of the newest velocity                   |
///
/// One product with N a step, since N y_k follows from N l_k. The step grows slowly and is cut back
/// when the bound fails. Rows of a pair that are nearly the same (ReLCP) cost so no more iterations
/// than one of them: their block is nearly singular, and its inverse takes that out of D^-1 N. The
/// projection of a pair is an LCP of a few rows, solved exactly (solver/gradient/pair_lcp.hpp).
/// Two kinds of problems have steps of their own, each one pass over contacts that knows bodies
/// instead of N, several contacts in the lanes of vectors, and no step taken back
/// (base/gradient_pace.hpp): contacts of spheres alone without exact friction or moments,
/// on the kernels of sweeps, with D of the normal and of the tangents apart; and half lines of
/// rigid bodies, by pairs (solver/gradient/half_line_pairs.hpp). The best iterate by the measured
/// residual is returned. For the associated law this is the method of Mazhar, Heyn, Negrut, Tasora,
/// ACM Trans. Graph. 34 (2015) in another metric, with the restart of O'Donoghue and Candes (2015).
/// For the exact law the shift makes it a fixed-point iteration without proof.

#include <memory>

#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

struct ApgdOptions {
  bool restart = true;  ///< whether the momentum is dropped where it points uphill
  void declare(Declaration& d);
};

std::unique_ptr<Solver> make_apgd(const ApgdOptions& options);

}  // namespace scree
