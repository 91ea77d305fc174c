#pragma once

/// Non-smooth Gauss-Seidel: contact after contact, each solved exactly with all others held.
///
///     sweep:  for each cone i of this rank, in order
///               u_i = (N lambda + r)_i                    with the newest impulses of this rank
///               l   = the impulse of cones/one_contact.hpp for A = D_ii (below), q = u_i - A lambda_i
///               lambda_i <- P_K( lambda_i + omega (l - lambda_i) )
///
/// | symbol  | meaning                                            | unit      |
/// | ---     | ---                                                | ---       |
/// | omega   | over-relaxation, falls back to 1 when it does harm | 1         |
///
/// With inertia, where several contacts are solved at once, those of several discs are solved part
/// by part, with the same fixed points (docs/notes/sweeps.md).
///
/// Sweeps, their work between ranks and their convergence: src/solver/sweeps/sweep.hpp. The exact
/// solution of a contact lowers the energy at least as much as any step.
/// References: Jourdan, Alart, Jean (1998), CMAME 155; Moreau, Jean.

#include <memory>

#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

struct NsgsOptions {
  double over_relaxation = 0.0;  ///< omega; 0: what suits sweeps with inertia, or without
  bool inertia = true;
  void declare(Declaration& d);
};

std::unique_ptr<Solver> make_nsgs(const NsgsOptions& options);

}  // namespace scree
