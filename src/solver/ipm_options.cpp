#include <array>

#include "ipm_system.hpp"

namespace scree {

void IpmOptions::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 3> kLinearSolvers{"auto", "cg", "mumps"};
  d.word(
      "linear_solver", linear_solver, kLinearSolvers,
      {.help = "of each Newton step: conjugate gradients or a factorisation; auto: the first for "
               "bodies as long as it is the faster one"});
  d.real("forcing", forcing,
         {.help = "accuracy of conjugate gradients relative to the state of the iterate",
          .above = 0.0,
          .below = 1.0});
  d.integer("max_krylov", max_krylov,
            {.help = "conjugate gradient iterations of one solve, then a factorisation where the "
                     "problem is of moderate size",
             .min = 1});
  d.real(
      "regularisation", regularisation,
      {.help = "proximal term relative to the median of tr(N_ii)/dim; does not move the solution",
       .min = 0.0});
  d.real("shift", shift,
         {.help = "depth of the start in the cones, in typical velocities", .above = 0.0});
  d.real("step_fraction", step_fraction,
         {.help = "share of the way to the boundary that a step takes at least",
          .max = 0.9995,
          .above = 0.0});
  d.integer("max_outer", max_outer,
            {.help = "rounds of the fixed point that exact friction takes", .min = 1});
}

LinearOptions ipm::linear_options(const IpmOptions& options) {
  LinearOptions linear;
  linear.max_krylov = options.max_krylov;
  if (options.linear_solver == "cg") linear.method = LinearMethod::krylov;
  if (options.linear_solver == "mumps") linear.method = LinearMethod::factorisation;
  return linear;
}

}  // namespace scree
