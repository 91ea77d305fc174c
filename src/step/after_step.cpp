#include "after_step.hpp"

#include <algorithm>

#include "contact_work.hpp"
#include "figure_sums.hpp"
#include "next_memory.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/step/contact_forces.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/stepper.hpp"
#include "sourced_rows.hpp"
#include "tool_impulses.hpp"

namespace scree {
namespace {

/// Collective.
std::vector<JointForce> forces_of_joints(MPI_Comm comm, State& state, const Setup& setup,
                                         const StepResult& step) {
  if (state.joints.empty()) return {};
  const auto source = std::ranges::find(setup.sources, setup.joints);
  return joint_forces(comm, state.joints, setup.joints->joints(), {state.bodies, setup.cell}, step,
                      source - setup.sources.begin(), step.clock.dt);
}

/// Adds @p contacts to the work that each owned grain causes: itself and the contacts that this
/// rank owns; one of two ghosts is counted for nobody. @p of_balls: all grains are, so that shapes
/// of tools alone are looked at.
void add_work(const ListedBlock& contacts, bool of_balls, Store& bodies) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::int32_t a = contacts.frames.a[i];
    const std::int32_t b = contacts.frames.b[i];
    const std::int32_t slot = bodies.is_owned(a) ? a : b;
    if (!bodies.is_owned(slot)) continue;
    const bool is_of_balls = of_balls && !bodies.is_tool(b);
    bodies.work[slot] += is_of_balls ? 1.0 : contact_work(bodies.shape[a], bodies.shape[b]);
  }
}

/// Gathers forces, figures, loads and memory from the contacts of a step that is taken, in one pass
/// over them. Collective.
void gather_results(State& state, const Setup& setup, MPI_Comm comm, StepResult& step) {
  Store& bodies = state.bodies;
  const double dt = step.clock.dt;
  const ContactOutcome outcome{step.contacts, step.formulated, step.impact.impulse.get(),
                               step.impact.total_impulse()};
  ToolImpulses on_tools(bodies.n_tools);
  FigureSums figures(bodies, state.smallest_radius, step.contacts.size());
  NextMemory memory(bodies, setup.laws, outcome, dt, 2.0 * state.smallest_radius,
                    state.contacts.release());
  const bool of_balls = step.contacts.are_of_balls();
  std::fill_n(bodies.work.begin() + bodies.first_owned(), bodies.n_owned, 1.0);
  for_each_block_of_results(outcome, [&](const ResultBlock& block) {
    on_tools.add(block);
    figures.add(block);
    memory.add(block);
    add_work(block, of_balls, bodies);
  });
  const petsc::ConstView lambda(outcome.lambda);
  on_tools.add(step.sourced.rows, span_of_sources(step.sourced, lambda.span()));
  step.wrenches = on_tools.forces(comm, dt);
  step.figures = figures.of_all_ranks(comm);
  step.joint_forces = forces_of_joints(comm, state, setup, step);
  state.contacts.replace(memory.take());
  state.rows = next_row_memory(state, setup, step, dt);
}

/// The speed that its weight gives each owned grain in a step, m/s.
std::vector<double> speeds_by_weight(const Store& bodies, const Setup& setup, double dt) {
  std::vector<double> speeds;
  speeds.reserve(bodies.n_owned);
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    Vec6 weight = Vec6::Zero();
    weight.head<3>() = buoyant_mass(bodies, slot, setup.medium.density) * setup.gravity;
    const BodyInertia inertia = setup.stepper->apparent_inertia(bodies, slot, dt);
    speeds.push_back(dt * (inverse_mass_of(bodies, slot, inertia) * weight).norm());
  }
  return speeds;
}

/// Ends the insertions whose bed has its height; to be called while the bodies have the velocities
/// of the step's start.
void end_insertions(State& state, const Setup& setup, MPI_Comm comm, Vec end_velocity, double dt) {
  const bool all_ended = std::all_of(state.insertions.begin(), state.insertions.end(),
                                     [](const InsertionState& one) { return one.ended; });
  if (all_ended) return;
  const petsc::ConstView velocity(end_velocity);
  const std::vector<double> by_weight = speeds_by_weight(state.bodies, setup, dt);
  for (std::size_t i = 0; i < setup.insertions.size(); ++i) {
    setup.insertions[i].end_at_height(state.insertions[i], comm, state.bodies, velocity.span(),
                                      by_weight, setup.gravity);
  }
}

void remove_grains(State& state, const Setup& setup, MPI_Comm comm) {
  if (!setup.keep_inside && setup.removal_boxes.empty()) return;
  Removed gone;
  const std::vector<bool> stays =
      staying(state.bodies, setup.keep_inside, setup.removal_boxes, gone);
  drop_of_removed(comm, state.bodies, stays, state.joints);
  if (gone.left + gone.discharged > 0) keep_owned(state.bodies, stays);
  state.removed.left += sum_over_ranks(comm, gone.left);
  state.removed.discharged += sum_over_ranks(comm, gone.discharged);
  state.removed.discharged_mass += sum_over_ranks(comm, gone.discharged_mass);
}

/// Lengthens what grows by what the step gives it, and divides what has become long enough.
/// Contacts of grains that divide begin anew: they are those of other bodies.
void grow(State& state, const Setup& setup, MPI_Comm comm, double dt) {
  if (setup.growths.empty()) return;
  for (const Growth& growth : setup.growths) growth.lengthen(state.bodies, dt);
  const std::vector<std::int64_t> mothers =
      divide_all(comm, state.bodies, setup.growths, state.next_id);
  state.next_id += static_cast<std::int64_t>(mothers.size());
  state.contacts.forget(mothers);
}

}  // namespace

std::vector<Velocities> velocities_of_tools(const State& state) {
  if (state.done.steps == 0 && state.done.parts == 0) return {};
  std::vector<Velocities> velocities;
  for (std::int32_t i = 0; i < state.bodies.n_tools; ++i) {
    velocities.push_back({state.bodies.velocity[i], state.bodies.angular_velocity[i]});
  }
  return velocities;
}

void finish(State& state, const Setup& setup, MPI_Comm comm, const Loads& loads, StepResult& step) {
  const LogStage stage(Stage::advance);
  Store& bodies = state.bodies;
  const double dt = step.clock.dt;
  const Vec velocity = step.impact.end_velocity.get();
  step.at_start = placed_bodies(bodies);
  step.load_power = power_of(comm, bodies, loads, *setup.stepper, setup.medium, velocity);
  gather_results(state, setup, comm, step);
  end_insertions(state, setup, comm, velocity, dt);
  advance(comm, bodies, velocity, dt);
  state.done = StepCount::after(step.clock);
  state.last_dt = dt;
  if (setup.length) state.longest_next = longest_after(dt, step.resolved);
  grow(state, setup, comm, dt);
  wrap_into(bodies, setup.cell);
  move_tools(bodies, setup.tools, step.clock.end);
  remove_grains(state, setup, comm);
}

}  // namespace scree
