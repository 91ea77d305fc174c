#pragma once

/// Accelerated projected gradient descent, scaled contact by contact.
///
///     l_(k+1) = P_K( y_k - t rho_i (N y_k + r + s) )        s = (mu |u_t|, 0, 0) for coulomb, else 0
///     y_(k+1) = l_(k+1) + beta_k (l_(k+1) - l_k)
///
/// | symbol | meaning                                                    |
/// | ---    | ---                                                        |
/// | rho_i  | dim / trace(N_ii): the metric, one number a cone           |
/// | t      | step, at most what d^T N d <= |d|^2_(1/rho) / t allows for d = l_(k+1) - y_k |
/// | beta_k | Nesterov's momentum; zero again where it points uphill     |
/// | s      | De Saxce's shift, of the newest velocity                   |
///
/// One product with N a step, since N y_k follows from N l_k. The step grows slowly and is cut back
/// when the bound fails. The best iterate by the measured residual is returned. For the associated
/// law this is the method of Mazhar, Heyn, Negrut, Tasora, ACM Trans. Graph. 34 (2015) in another
/// metric, with the restart of O'Donoghue and Candes (2015). For the exact law the shift makes it a
/// fixed-point iteration without proof.

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
