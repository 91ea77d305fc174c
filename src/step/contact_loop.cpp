#include "scree/step/contact_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/step/contact_memory.hpp"
#include "scree/step/stepper.hpp"

namespace scree {
namespace {

/// Parts of the smallest radius: by how much overlap is recovered in a step, and by how much a contact of a
/// solved step may miss its law.
constexpr double kRecoveryPerStep = 0.1;
constexpr double kErrorPerStep = 0.1;
/// Part of the smallest radius that a box may move before pairs are listed anew.
constexpr double kSkin = 0.1;

double recovery_speed(const State& state, const Setup& setup) {
  return setup.recovery_speed > 0.0 ? setup.recovery_speed
                                    : kRecoveryPerStep * state.smallest_radius / setup.dt;
}

void pose(const State& state, const Setup& setup, const Machinery& machinery,
          const ContactInput& input, SolvedContacts& step) {
  const LogStage stage(Stage::assemble);
  const double dt = input.clock.dt;
  const double speed = recovery_speed(state, setup);
  sort_by_cone(step.contacts, state.bodies, setup.laws);
  const FoundRecords found = state.contacts.find(step.contacts);
  const std::span<const ContactRecord* const> records = found.of;
  step.histories = histories_of(state.bodies, step.contacts, records, dt, speed * dt);
  const std::vector<BodyInertia> inertias = apparent_inertias(*setup.stepper, state.bodies, dt);
  step.posed = assemble(
      machinery.comm,
      {state.bodies, input.numbers, inertias, free_velocities(machinery.comm, state.bodies)},
      step.contacts, step.histories, setup.laws,
      {.dt = dt,
       .recovery_speed = speed,
       .friction = setup.friction,
       .tools_before = input.tools_before});
  step.posed.problem.origin = input.clock.name();
  // an impact in a short part is no force that lasts for a long one
  step.guess = guess_of(step.posed.problem, step.contacts, records, std::min(dt, state.last_dt));
}

void solve(const State& state, const Setup& setup, Machinery& machinery, SolvedContacts& step) {
  petsc::Vector start = petsc::duplicate(step.guess.get());
  SCREE_PETSC(VecCopy(step.guess.get(), start.get()));
  machinery.solver.bound_velocity_error(kErrorPerStep * state.smallest_radius / setup.dt);
  step.impact = resolve(step.posed, *setup.impact_law, machinery.solver, std::move(start));
}

}  // namespace

Reach reach_of(const State& state, const Setup& setup, double dt) {
  return {.dt = dt,
          .smallest_radius = state.smallest_radius,
          .cell = setup.cell,
          .rupture_distance = setup.laws.largest_rupture_distance()};
}

std::vector<Contact> detect(const State& state, const Reach& reach, Machinery& machinery) {
  const LogStage stage(Stage::contacts);
  const std::vector<Pair> pairs =
      machinery.neighbours.meeting(state.bodies, kSkin * reach.smallest_radius, reach.dt);
  const Partition& partition = machinery.partition;
  std::vector<Contact> contacts;
  std::string fault;
  try {
    contacts = narrowphase(state.bodies, pairs, reach,
                           [&partition](const Vec3& point) { return partition.holds(point); });
  } catch (const Failure& failure) {
    fault = failure.what();
  }
  fail_together(machinery.comm, fault);
  return contacts;
}

SolvedContacts solve_contacts(const State& state, const Setup& setup, Machinery& machinery,
                              std::vector<Contact> contacts, const ContactInput& input,
                              StageClock& seconds) {
  SolvedContacts step;
  step.contacts = std::move(contacts);
  seconds.time(&StageSeconds::assemble, [&] { pose(state, setup, machinery, input, step); });
  seconds.time(&StageSeconds::solve, [&] { solve(state, setup, machinery, step); });
  return step;
}

}  // namespace scree
