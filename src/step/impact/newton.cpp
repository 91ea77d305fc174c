#include "newton.hpp"

#include <algorithm>
#include <optional>

namespace scree {
namespace {

/// The normal's r that has the two part as the law says; nothing where the law asks nothing of
/// them.
/// @param free u_n,free
std::optional<double> parting_bias(const ContactTerms& contact, double free, double dt) {
  const double before = contact.velocity_before.x();
  if (contact.restitution == 0.0 || before >= 0.0) return std::nullopt;
  const double parting = -contact.restitution * before + std::min(free - before, 0.0);
  if (contact.gap + dt * free >= 0.0 || parting <= 0.0) return std::nullopt;
  return free - parting;
}

}  // namespace

ResolvedImpacts NewtonImpacts::act(FormulatedStep& step, std::span<const Contact> /*contacts*/,
                                   const Goal& /*goal*/) const {
  ContactProblem& problem = step.problem;
  {
    const petsc::View r(problem.r.get());
    for (std::size_t i = 0; i < step.terms.size(); ++i) {
      const ContactTerms& contact = step.terms[i];
      const std::size_t row = problem.cones.row(i);
      const auto wanted = parting_bias(contact, r[row] - contact.gap_bias, step.dt);
      if (!wanted) continue;
      // a spring would give back a second time what the law gives back at once
      const bool yields = problem.compliance_of(row) > 0.0;
      if (yields) problem.compliance[row] = 0.0;
      r[row] = yields ? *wanted : std::min(r[row], *wanted);
    }
  }
  problem.compliance = unless_zero(problem.comm, std::move(problem.compliance));
  return {};
}

}  // namespace scree
