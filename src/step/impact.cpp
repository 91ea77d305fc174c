#include "scree/step/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

std::string name_of(std::int64_t id) {
  return id < kFirstToolId ? fmt::format("body {}", id) : fmt::format("tool {}", id - kFirstToolId);
}

void tell_of_impacts(const ImpactFigures& impacts, SolverReport& report) {
  if (impacts.fault.empty()) return;
  report.reason += (report.reason.empty() ? "" : "; ") + impacts.fault;
  if (impacts.cut_off > 0 && report.status == Status::converged) {
    report.status = Status::iteration_limit;
    report.attempts.push_back({"impact", report.status});
  }
}

}  // namespace

void ImpactLawOptions::declare(Declaration& d) {
  std::vector<std::string_view> names;
  for (const ImpactLawEntry& entry : impact_laws()) names.push_back(entry.name);
  d.word("law", law, names,
         {.help = "newton: each contact parts at its restitution times its speed of approach; "
                  "energetic: all contacts that collide at once, which never adds energy"});
  d.enumeration("operator", operator_kind,
                {.help = "of energetic: one contact after another, or all that approach reflected "
                         "at once, which keeps symmetries"});
  d.enumeration("order", order, {.help = "of gauss_seidel: which of the contacts that approach"});
  d.integer("seed", seed, {.help = "of the random order", .min = 0});
  d.real("threshold", threshold,
         {.help = "of energetic: a contact that approaches more slowly counts as resting; 0: twice "
                  "the speed that gravity gives in a step",
          .unit = "m/s",
          .min = 0.0});
}

void ImpactFigures::add(const ImpactFigures& round) {
  rounds += round.rounds;
  zones += round.zones;
  contacts = std::max(contacts, round.contacts);
  applications += round.applications;
  programs += round.programs;
  program_seconds += round.program_seconds;
  energy_before += round.energy_before;
  energy_after += round.energy_after;
  approach_left = std::max(approach_left, round.approach_left);
  cut_off += round.cut_off;
  walls_close += round.walls_close;
  if (fault.empty()) fault = round.fault;
}

void ImpactFigures::sum_over_ranks(MPI_Comm comm) {
  if (rounds == 0) return;
  zones = scree::sum_over_ranks(comm, zones);
  contacts = max_over_ranks(comm, contacts);
  applications = scree::sum_over_ranks(comm, applications);
  programs = scree::sum_over_ranks(comm, programs);
  program_seconds = scree::sum_over_ranks(comm, program_seconds);
  energy_before = scree::sum_over_ranks(comm, energy_before);
  energy_after = scree::sum_over_ranks(comm, energy_after);
  approach_left = max_over_ranks(comm, approach_left);
  cut_off = scree::sum_over_ranks(comm, cut_off);
  walls_close = scree::sum_over_ranks(comm, walls_close);
  fault = first_text(comm, fault);
}

std::shared_ptr<const ImpactLaw> make_impact_law(const ImpactLawOptions& options, double gravity) {
  const auto laws = impact_laws();
  const auto entry = std::find_if(
      laws.begin(), laws.end(), [&](const ImpactLawEntry& one) { return one.name == options.law; });
  SCREE_ASSERT(entry != laws.end());
  return entry->make(options, gravity);
}

ImpactResult resolve(FormulatedStep& step, std::span<const Contact> contacts, const ImpactLaw& law,
                     SolverDriver& solver, const Goal& goal, petsc::Vector guess) {
  ImpactResult result;
  ResolvedImpacts impacts = law.act(step, contacts, goal);
  result.with_impacts = std::move(impacts.impulse);
  result.figures = std::move(impacts.figures);
  step.problem = with(std::move(step.problem), std::move(impacts.changes));
  result.impulse = std::move(guess);
  result.report = solver.solve(step.problem, goal, result.impulse.get());
  tell_of_impacts(result.figures, result.report);
  result.end_velocity = end_velocity(step.problem, result.impulse.get());
  if (result.with_impacts) {
    SCREE_PETSC(VecAXPY(result.with_impacts.get(), 1.0, result.impulse.get()));
  }
  return result;
}

std::string first_not_finite(const Store& store, std::span<const Contact> contacts,
                             const Cones& cones, const ImpactResult& result) {
  const petsc::ConstView impulse(result.impulse.get());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::size_t row = cones.offset[i];
    if (finite(impulse.span().subspan(row, cones.dim(i)))) continue;
    return fmt::format("the impulse between {} and {} is not finite", name_of(contacts[i].key.id_a),
                       name_of(contacts[i].key.id_b));
  }
  const petsc::ConstView velocity(result.end_velocity.get());
  for (std::int32_t i = 0; i < store.n_owned; ++i) {
    if (finite(velocity.span().subspan(6 * static_cast<std::size_t>(i), 6))) continue;
    const std::size_t slot = store.first_owned() + i;
    return fmt::format("the velocity of {} is not finite", name_of(store.id[slot]));
  }
  return {};
}

}  // namespace scree
