#include <array>

#include "ipm_system.hpp"

namespace scree {

void KleinertOptions::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 2> kRules{"path_following", "potential_reduction"};
  d.word("beta", beta, kRules,
         {.help = "how far each step aims along the central path: cautious or aggressive"});
  d.real(
      "compliance", compliance,
      {.help = "regularisation 1/(dt^2 k) by the stiffness k of a contact; only in the matrix, so "
               "that the method stalls where it is felt",
       .unit = "1/kg",
       .min = 0.0});
  d.real("start", start,
         {.help = "friction coefficient times normal impulse at the start, of every contact",
          .unit = "N s",
          .above = 0.0});
  d.integer(
      "spectrum", spectrum,
      {.help = "Krylov steps by which the extreme eigenvalues of each preconditioned matrix are "
               "estimated, for the report of `solve`; 0: none",
       .min = 0});
}

void IpmOptions::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 2> kVariants{"mehrotra", "kleinert"};
  d.word("variant", variant, kVariants,
         {.help = "mehrotra: predictor and corrector among the bodies; kleinert: as published by "
                  "Kleinert, Simeon and Obermayr, among the contacts, of the relaxed law only"});
  static constexpr std::array<std::string_view, 5> kLinearSolvers{"auto", "cg", "bicgstab", "gmres",
                                                                  "mumps"};
  static constexpr std::array<std::string_view, 8> kPreconditioners{
      "none", "point_jacobi", "ssor", "block_jacobi", "schwarz", "multigrid", "ic", "ilu"};
  d.word(
      "linear_solver", linear_solver, kLinearSolvers,
      {.help = "of each Newton step: a Krylov method or a factorisation; cg is gmres where the "
               "matrix is not symmetric; auto: cg for bodies as long as it is faster than mumps, "
               "and beyond 80000 rows"});
  d.word("preconditioner", preconditioner, kPreconditioners,
         {.help =
              "of the Krylov method; point_jacobi: the blocks of bodies or cones, the same on any "
              "number of ranks; ssor, ic, ilu: within a rank; block_jacobi, schwarz: a rank's part "
              "factorised, alone or with its neighbours; multigrid: smoothed aggregation"});
  d.flag("matrix_free", matrix_free,
         {.help = "do not store the matrix of the bodies: cg, bicgstab or gmres "
                  "with its products, point_jacobi from its diagonal blocks, and no factorisation; "
                  "not where the problem is a matrix itself"});
  d.require("matrix_free", !matrix_free || linear_solver != "mumps",
            "leaves no matrix for `linear_solver: mumps`");
  d.require("matrix_free",
            !matrix_free || preconditioner == "point_jacobi" || preconditioner == "none",
            "leaves only `point_jacobi` and `none` as `preconditioner`");
  d.require("matrix_free", !matrix_free || variant == "mehrotra",
            "is of `variant: mehrotra`, the other has no matrix of the bodies");
  d.real("forcing", forcing,
         {.help = "accuracy of a Krylov solve relative to the state of the iterate",
          .above = 0.0,
          .below = 1.0});
  d.integer("max_krylov", max_krylov,
            {.help = "Krylov iterations of one solve, then a factorisation where the "
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
  d.object("kleinert", kleinert, {.help = "the variant kleinert"});
}

LinearOptions ipm::linear_options(const IpmOptions& options) {
  LinearOptions linear;
  linear.max_krylov = options.max_krylov;
  linear.preconditioner = preconditioner_of(options.preconditioner);
  if (options.linear_solver == "mumps") {
    linear.method = LinearMethod::factorisation;
  } else if (options.linear_solver != "auto") {
    linear.method = LinearMethod::krylov;
    if (options.linear_solver == "bicgstab") linear.krylov = KrylovMethod::bicgstab;
    if (options.linear_solver == "gmres") linear.krylov = KrylovMethod::gmres;
  }
  return linear;
}

}  // namespace scree
