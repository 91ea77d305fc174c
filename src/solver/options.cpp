#include "scree/solver/options.hpp"

#include <algorithm>
#include <array>

#include "scree/solver/registry.hpp"

namespace scree {
namespace {

/// In the order of NotConverged.
constexpr std::array<std::string_view, 4> kAnswers = {"continue", "warn", "fallback", "abort"};

constexpr std::string_view kInertiaHelp =
    "carry each sweep's moves on into the next, which takes fewer sweeps; of contacts of two "
    "bodies, "
    "without friction or with one disc of it: others are swept plainly";

}  // namespace

void StopOptions::declare(Declaration& d) {
  d.real("tolerance", tolerance,
         {.help = "largest residual (natural map, relative, unit-free) that counts as solved",
          .above = 0.0,
          .below = 1.0});
  d.integer("max_iterations", max_iterations,
            {.help = "iterations allowed a solve; 0: the method's own limit", .min = 0});
  d.real("max_seconds", max_seconds,
         {.help = "time allowed a solve; 0: no limit", .unit = "s", .min = 0.0});
  d.object("merit", merit,
           {.help = "rules that end a method by its own merit function: sweeps, minmap, fischer"});
}

void MeritOptions::declare(Declaration& d) {
  d.real("absolute", absolute, {.help = "end where the merit is below; 0: off", .min = 0.0});
  d.real("relative", relative,
         {.help = "end where the merit changes by less than this share of itself; 0: off",
          .min = 0.0});
  d.real("change", change,
         {.help = "end where no impulse changes by more; 0: off", .unit = "N s", .min = 0.0});
}

void PgjOptions::declare(Declaration& d) {
  d.real("relaxation", relaxation,
         {.help = "step as a share of the largest stable one, which is estimated",
          .max = 1.0,
          .above = 0.0});
}

void ApgdOptions::declare(Declaration& d) {
  d.flag("restart", restart, {.help = "drop the momentum where it points uphill"});
}

void NsgsOptions::declare(Declaration& d) {
  d.real(
      "over_relaxation", over_relaxation,
      {.help = "factor of each contact's change, 0: 1 with inertia, 1.3 without; above 1 it falls "
               "back to 1 when it does harm",
       .min = 0.0,
       .below = 2.0});
  d.flag("inertia", inertia, {.help = kInertiaHelp});
}

void PgsOptions::declare(Declaration& d) {
  d.flag("inertia", inertia, {.help = kInertiaHelp});
}

void PsorOptions::declare(Declaration& d) {
  d.real("relaxation", relaxation,
         {.help = "factor of each contact's step, 0: 1 with inertia, 1.4 without; above 1 it falls "
                  "back to 1 when it does harm",
          .min = 0.0,
          .below = 2.0});
  d.flag("inertia", inertia, {.help = kInertiaHelp});
}

void AmgsOptions::declare(Declaration& d) {
  d.real("alpha", alpha,
         {.help =
              "Omega = alpha D of the modulus form: 0.5 is pgs, less over-relaxes held contacts by "
              "2/(1 + 2 alpha), which falls back to 1 when it does harm; proved up to 0.5",
          .above = 0.0});
}

void LcpNewtonOptions::declare(Declaration& d) {
  d.integer("sweeps", sweeps, {.help = "sweeps of pgs before the first Newton step", .min = 0});
  d.flag("scaled", scaled,
         {.help = "iterate on impulses and velocities scaled to one unit; the merit is in J then"});
  d.flag(
      "gradient", gradient,
      {.help = "step along the gradient of the merit where Newton's direction does not exist, or "
               "does not lower it; else the method ends there"});
  d.real("forcing", forcing,
         {.help = "accuracy of a linear solve, relative to what is to become zero",
          .above = 0.0,
          .below = 1.0});
}

void FischerOptions::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 4> kStrategies = {"random", "zero", "perturbation",
                                                                  "approximation"};
  d.word(
      "strategy", strategy, kStrategies,
      {.help = "derivative where impulse and velocity are both zero; approximation: by differences "
               "everywhere, without a matrix"});
  LcpNewtonOptions::declare(d);
}

void SolverOptions::declare(Declaration& d) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solver_registry()) names.push_back(entry.name);
  d.word("method", method, names, {.help = "the solver of each step's contact problem"});
  stop.declare(d);
  std::string answer(kAnswers[static_cast<std::size_t>(on_not_converged)]);
  d.word("on_not_converged", answer, kAnswers,
         {.help =
              "when the method does not converge: take the step and go on; warn, too; fall back to "
              "other methods in turn before that; or abort the run before the step"});
  const auto chosen = std::find(kAnswers.begin(), kAnswers.end(), answer);
  if (chosen != kAnswers.end()) {
    on_not_converged = static_cast<NotConverged>(chosen - kAnswers.begin());
  }
  d.object("pgj", pgj, {.help = "projected Gauss-Jacobi"});
  d.object("apgd", apgd, {.help = "accelerated projected gradient"});
  d.object("nsgs", nsgs, {.help = "non-smooth Gauss-Seidel"});
  d.object("pgs", pgs, {.help = "projected Gauss-Seidel"});
  d.object("psor", psor, {.help = "projected successive over-relaxation"});
  d.object("amgs", amgs, {.help = "accelerated modulus-based Gauss-Seidel"});
  d.object("minmap", minmap, {.help = "minimum-map Newton"});
  d.object("fischer", fischer, {.help = "Fischer-Newton"});
  d.object("ipm", ipm, {.help = "interior point method"});
  d.object("kleinert", kleinert,
           {.help = "interior point method as published by Kleinert, Simeon and Obermayr"});
}

}  // namespace scree
