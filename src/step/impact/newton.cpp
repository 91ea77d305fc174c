#include "newton.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// A contact that strikes.
struct Strike {
  std::size_t row;  ///< of its normal
  double bias;      ///< r that the law asks for
};

/// The normal's r that has the two part as the law says; nothing where the law asks nothing of
/// them.
/// @param free u_n,free
std::optional<double> parting_bias(const ImpactTerms& impact, double gap, double free, double dt) {
  const double before = impact.normal_velocity_before;
  if (impact.restitution == 0.0 || before >= 0.0) return std::nullopt;
  const double parting = -impact.restitution * before + std::min(free - before, 0.0);
  if (gap + dt * free >= 0.0 || parting <= 0.0) return std::nullopt;
  return free - parting;
}

std::vector<Strike> strikes_of(const FormulatedStep& step, ContactView contacts) {
  if (step.impacts.empty()) return {};
  const ContactSpan rows = step.contact_rows();
  const petsc::ConstView r(step.problem.r.get());
  std::vector<Strike> strikes;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const std::size_t row = rows.normal(i);
    const double free = r[row] - step.terms[i].gap_bias;
    const auto wanted = parting_bias(step.impact(i), contacts[i].gap, free, step.dt);
    if (wanted) strikes.push_back({row, *wanted});
  }
  return strikes;
}

}  // namespace

ResolvedImpacts NewtonImpacts::act(const FormulatedStep& step, ContactView contacts,
                                   const Goal& /*goal*/) const {
  const ContactProblem& problem = step.problem;
  const std::vector<Strike> strikes = strikes_of(step, contacts);
  if (max_over_ranks(problem.comm, strikes.empty() ? 0 : 1) == 0) return {};
  ProblemChanges changes{.r = petsc::copy(problem.r.get())};
  {
    const petsc::View r(changes.r.get());
    for (const Strike& strike : strikes) r[strike.row] = std::min(r[strike.row], strike.bias);
  }
  return {.changes = std::move(changes)};
}

}  // namespace scree
