#include "scree/step/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {
namespace {

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

std::string name_of(std::int64_t id) {
  return id < kFirstToolId ? fmt::format("body {}", id) : fmt::format("tool {}", id - kFirstToolId);
}

}  // namespace

ImpactResult resolve(PosedStep& step, const ImpactLaw& law, SolverDriver& solver,
                     petsc::Vector guess) {
  ImpactResult result;
  result.with_struck = law.act(step, solver);
  forget_scales(step.problem);
  result.impulse = std::move(guess);
  result.report = solver.solve(step.problem, result.impulse.get());
  result.end_velocity = end_velocity(step.problem, result.impulse.get());
  if (result.with_struck) {
    SCREE_PETSC(VecAXPY(result.with_struck.get(), 1.0, result.impulse.get()));
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
