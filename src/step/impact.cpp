#include "scree/step/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/config/declaration.hpp"
#include "scree/problem/contact_span.hpp"

namespace scree {
namespace {

bool finite(std::span<const double> values) {
  std::int64_t others = 0;
  run_by(instructions(), [&] {
    for (const double x : values) others += std::isfinite(x) ? 0 : 1;
  });
  return others == 0;
}

std::string name_of(std::int64_t id) {
  return id < kFirstToolId ? fmt::format("body {}", id) : fmt::format("tool {}", id - kFirstToolId);
}

/// v+ = v_free + M^-1 J^T lambda, by the product that @p report was measured with where there is
/// one. Collective.
petsc::Vector end_velocity(const ContactProblem& problem, Vec lambda, const SolverReport& report) {
  if (!report.body_velocities) return scree::end_velocity(problem, lambda);
  petsc::Vector v = petsc::copy(problem.v_free.get());
  const petsc::View end(v.get());
  for (std::size_t k = 0; k < end.size(); ++k) end[k] += (*report.body_velocities)[k];
  return v;
}

/// Where an impact did not end, the report of the solve says so, too.
void add_fault(const std::string& fault, bool leaves_unsolved, SolverReport& report) {
  if (fault.empty()) return;
  report.reason += (report.reason.empty() ? "" : "; ") + fault;
  if (leaves_unsolved && report.status == Status::converged) {
    report.status = Status::iteration_limit;
    report.attempts.push_back({"impact", report.status});
  }
}

}  // namespace

ImpactLawOptions::ImpactLawOptions() : law(impact_laws().front().name) {
  for (const ImpactLawEntry& entry : impact_laws()) entry.add_options(of_laws);
}

void ImpactLawOptions::declare(Declaration& d) {
  std::vector<std::string_view> names;
  std::string help;
  for (const ImpactLawEntry& entry : impact_laws()) {
    names.push_back(entry.name);
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", entry.name, entry.help);
  }
  d.word("law", law, names, {.help = help});
  for (const ImpactLawEntry& entry : impact_laws()) entry.declare(d, of_laws);
}

std::vector<std::string> ImpactLawOptions::faults(bool has_inertia) const {
  std::vector<std::string> faults;
  for (const ImpactLawEntry& entry : impact_laws()) {
    const bool is_chosen = entry.name == law;
    if (is_chosen && entry.needs_inertia && !has_inertia) {
      faults.push_back(
          fmt::format("is {}, and dynamics is overdamped: without inertia there are no impacts; "
                      "leave the key out",
                      entry.name));
    }
    if (!is_chosen && !entry.is_default(of_laws)) {
      faults.push_back(
          fmt::format("has keys that only the law {0} reads; set `law: {0}`", entry.name));
    }
    const std::string fault = entry.fault(of_laws);
    if (!fault.empty()) faults.push_back(fault);
  }
  return faults;
}

std::vector<FigureColumn> impact_columns() {
  std::vector<FigureColumn> all;
  for (const ImpactLawEntry& entry : impact_laws()) {
    for (const FigureColumn& column : entry.columns()) all.push_back(column);
  }
  return all;
}

std::shared_ptr<const ImpactLaw> make_impact_law(const ImpactLawOptions& options, double gravity) {
  const auto entry = std::ranges::find(impact_laws(), options.law, &ImpactLawEntry::name);
  SCREE_ASSERT(entry != impact_laws().end());
  return entry->make(options.of_laws, gravity);
}

ImpactResult resolve(FormulatedStep& step, ContactView contacts, const ImpactLaw& law,
                     SolverDriver& solver, const Goal& goal, petsc::Vector guess) {
  ImpactResult result;
  ResolvedImpacts impacts = law.act(step, contacts, goal);
  result.with_impacts = std::move(impacts.impulse);
  result.figures = std::move(impacts.figures);
  step.problem = with(std::move(step.problem), std::move(impacts.changes));
  result.impulse = std::move(guess);
  result.report = solver.solve(step.problem, goal, result.impulse.get());
  result.fault = std::move(impacts.fault);
  result.lost_by_length = impacts.lost_by_length;
  add_fault(result.fault, impacts.leaves_unsolved, result.report);
  result.end_velocity = end_velocity(step.problem, result.impulse.get(), result.report);
  result.report.body_velocities.reset();  // as large as the bodies' state, and in v+ now
  if (result.with_impacts) {
    SCREE_PETSC(VecAXPY(result.with_impacts.get(), 1.0, result.impulse.get()));
  }
  return result;
}

std::string first_not_finite(const Store& store, ContactView contacts,
                             const ContactProblem& problem, const ImpactResult& result) {
  const petsc::ConstView impulse(result.impulse.get());
  const petsc::ConstView velocity(result.end_velocity.get());
  if (finite(impulse.span()) && finite(velocity.span())) return {};
  const ContactSpan rows(problem, contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (finite(rows.of(i, impulse.span()))) continue;
    return fmt::format("the impulse between {} and {} is not finite", name_of(contacts[i].key.id_a),
                       name_of(contacts[i].key.id_b));
  }
  std::string fault;
  for_each_row(store, std::ssize(velocity.span()) / 6, [&](std::int32_t slot, std::int64_t row) {
    if (!fault.empty() || finite(velocity.span().subspan(6 * row, 6))) return;
    fault = fmt::format("the velocity of {} is not finite", name_of(store.id[slot]));
  });
  return fault;
}

}  // namespace scree
