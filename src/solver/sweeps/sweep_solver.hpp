#pragma once

/// The methods that sweep: nsgs, pgs, psor and amgs are one solver with another step at a contact.
///
/// With inertia (inertia.hpp) sweeps run on the kernels, where those serve, and by rules over the
/// rows of a step that are no contacts (pair_problem.hpp). All other problems, and all sweeps
/// without inertia, go contact after contact by a rule for each type of cone (sweep.hpp); so do
/// those whose ends are ruled by merit, where sweep is compared with sweep. Factors above 1 that do
/// harm are given up. Of spheres on the kernels more sweeps are allowed, by limit and by patience,
/// since they cost less, as long as few rows are swept by rules, and few contacts are of other
/// bodies.

#include <memory>
#include <string_view>

#include "pair_problem.hpp"
#include "scree/solver/solver.hpp"
#include "scree/solver/sweeps/pgs.hpp"

namespace scree {

struct SweepMethod {
  std::string_view name;
  SweepStep step = SweepStep::exact;
  double factor = 0.0;  ///< over-relaxation of moves or steps; 0: 1 with inertia, else plain_factor
  double plain_factor = 1.0;  ///< over-relaxation that suits sweeps without inertia
  bool inertia = false;
  ModulusOmega omega = ModulusOmega::diagonal;  ///< of SweepStep::modulus
};

std::unique_ptr<Solver> make_sweep_solver(const SweepMethod& method);

}  // namespace scree
