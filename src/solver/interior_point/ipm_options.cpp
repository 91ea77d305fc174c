#include <utility>

#include "ipm_system.hpp"
#include "scree/config/declaration.hpp"
#include "scree/solver/interior_point/ipm.hpp"

namespace scree {

void InteriorPointOptions::declare(Declaration& d) {
  d.enumeration(
      "linear_solver", linear_solver,
      {.help = "of each Newton step: a Krylov method or a factorisation; cg is gmres where the "
               "matrix is not symmetric; auto: cg for bodies as long as it is faster than mumps, "
               "and beyond 80000 rows; ipm beyond 400000 of bodies that move in a plane"});
  d.enumeration(
      "preconditioner", preconditioner,
      {.help =
           "of the Krylov method; point_jacobi: the blocks of bodies or cones, the same on any "
           "number of ranks; ssor, ic, ilu: within a rank; block_jacobi, schwarz: a rank's part "
           "factorised, alone or with its neighbours; multigrid: smoothed aggregation"});
  d.real("forcing", forcing,
         {.help = "accuracy of a Krylov solve relative to the state of the iterate",
          .above = 0.0,
          .below = 1.0});
  d.integer("max_krylov", max_krylov,
            {.help = "Krylov iterations of one solve, then a factorisation where the "
                     "problem is of moderate size",
             .min = 1});
  d.flag(
      "strict", strict,
      {.help = "replace neither the linear solver nor the preconditioner by another: a solve that "
               "runs out of Krylov iterations is taken as it is, and one that breaks down ends "
               "the method"});
  d.require("strict", !strict || linear_solver != LinearSolverName::automatic,
            "leaves nothing to `linear_solver: auto`; allowed: with cg, bicgstab, gmres or mumps");
  d.real("step_fraction", step_fraction,
         {.help = "share of the way to the boundary that a step takes at least",
          .max = 0.9995,
          .above = 0.0});
}

void IpmOptions::declare(Declaration& d) {
  InteriorPointOptions::declare(d);
  d.flag("matrix_free", matrix_free,
         {.help = "do not store the matrix of the bodies: cg, bicgstab or gmres "
                  "with its products, point_jacobi from its diagonal blocks, and no factorisation; "
                  "not where the problem is a matrix itself"});
  d.require("matrix_free", !matrix_free || linear_solver != LinearSolverName::mumps,
            "leaves no matrix for `linear_solver: mumps`");
  d.require("matrix_free",
            !matrix_free || preconditioner == Preconditioner::point_jacobi ||
                preconditioner == Preconditioner::none,
            "leaves only `point_jacobi` and `none` as `preconditioner`");
  d.real(
      "regularisation", regularisation,
      {.help =
           "proximal term relative to the median of tr(N_ii)/dim, of which a factorisation takes a "
           "millionth; does not move the solution",
       .min = 0.0});
  d.real("shift", shift,
         {.help = "depth of the start in the cones, in typical velocities", .above = 0.0});
  d.integer("max_outer", max_outer,
            {.help = "rounds of the fixed point that exact friction takes", .min = 1});
}

LinearOptions ipm::linear_options(const InteriorPointOptions& options, OutOfTime out_of_time) {
  LinearOptions linear;
  linear.out_of_time = std::move(out_of_time);
  linear.max_krylov = options.max_krylov;
  linear.preconditioner = options.preconditioner;
  linear.strict = options.strict;
  linear.accept_unfinished = options.strict;
  switch (options.linear_solver) {
    case LinearSolverName::automatic:
      break;
    case LinearSolverName::mumps:
      linear.method = LinearMethod::factorisation;
      break;
    case LinearSolverName::cg:
      linear.method = LinearMethod::krylov;
      break;
    case LinearSolverName::bicgstab:
      linear.method = LinearMethod::krylov;
      linear.krylov = KrylovMethod::bicgstab;
      break;
    case LinearSolverName::gmres:
      linear.method = LinearMethod::krylov;
      linear.krylov = KrylovMethod::gmres;
      break;
  }
  return linear;
}

}  // namespace scree
