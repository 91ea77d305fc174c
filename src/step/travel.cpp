#include "travel.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "formulate_and_solve.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/passing.hpp"
#include "scree/contact/sides.hpp"
#include "scree/contact/strays.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/recursion.hpp"
#include "strays.hpp"

namespace scree {
namespace {

/// For each contact whether its normal has a spring.
std::vector<bool> yielding_normals(const ContactSpan& rows) {
  std::vector<bool> yields;
  for (std::size_t i = 0; i < rows.count(); ++i) yields.push_back(rows.normal_softness(i) > 0.0);
  return yields;
}

/// The impulse of each contact along its normal, N s.
std::vector<double> normal_impulses(const SolvedContacts& step) {
  const ContactSpan rows = step.formulated.contact_rows();
  const petsc::ConstView lambda(step.impact.impulse.get());
  std::vector<double> impulses;
  impulses.reserve(rows.count());
  for (std::size_t i = 0; i < rows.count(); ++i) impulses.push_back(lambda.span()[rows.normal(i)]);
  return impulses;
}

bool is_converged(const SolvedContacts& step) {
  return step.impact.report.status == Status::converged;
}

/// @p share: of a whole step that dt is.
Travel furthest_on_sides(const Store& bodies, const SolvedContacts& step, double dt, double share) {
  // a ball goes a hundredth of its radius then, which is less than the room of sides that are
  // apart: what is not solved by then is not for them
  constexpr double kLeastUnsolved = 1.0 / 256.0;
  if (ContactView(step.contacts).are_single() || !any_around(bodies)) return {};
  if (!is_converged(step) && share < kLeastUnsolved) return {};
  return furthest_on_sides(bodies, step.contacts, normal_impulses(step),
                           {dt, step.impact.report.measures.velocity_error});
}

/// The ways by which a body of any rank may come into another, so that they are to be looked at.
struct Due {
  bool turns;
  bool goes_in_wall;
  bool strays_meet;
};

/// Collective.
Due due_on_any_rank(const State& state, const Setup& setup, const SolvedContacts& step, double dt,
                    MPI_Comm comm) {
  const Store& bodies = state.bodies;
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  const std::span<const double> v = velocity.span();
  const double smallest = state.smallest_radius;
  const bool is_solved = is_converged(step);
  const bool holds_shapes = setup.constraints->holds_shapes_apart();
  const bool turns = holds_shapes && (!is_solved || any_turns_far(bodies, v, smallest, dt));
  const bool goes_in_wall =
      is_solved ? any_goes_far_in_wall(bodies, v, smallest, dt) : any_around(bodies);
  // a solve that finds contacts where it brings bodies knows all that may meet there
  const bool may_stray = holds_shapes && !(is_solved && setup.constraints->finds_within_step());
  Strays strays;
  if (may_stray) strays = any_strays(bodies, v, reach_of(state, setup, dt), tolerated_stray(state));
  std::vector<std::uint8_t> due{turns, goes_in_wall, strays.beyond, strays.off_path};
  or_over_ranks(comm, due);
  return {due[0] != 0, due[1] != 0, due[2] != 0 && due[3] != 0};
}

/// Which pairs a step may take into each other.
Judged judged(bool holds_shapes, const Due& due) {
  if (!holds_shapes) return Judged::balls_in_walls;
  return due.turns ? Judged::all : Judged::in_walls;
}

Travel further(const Travel& a, const Travel& b) {
  return a.share < b.share ? b : a;
}

}  // namespace

Travel furthest_after(const State& state, const Setup& setup, const SolvedContacts& step,
                      double dt) {
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  const Travel out = furthest_out(state.bodies, velocity.span(), state.smallest_radius, dt,
                                  setup.constraints->spare() > 0.0);
  return further(out, furthest_on_sides(state.bodies, step, dt, dt / setup.dt));
}

Travel furthest_passing(const State& state, const Setup& setup, Machinery& machinery,
                        const SolvedContacts& step, double dt) {
  const Due due = due_on_any_rank(state, setup, step, dt, machinery.comm);
  if (!due.turns && !due.goes_in_wall && !due.strays_meet) return {};
  const Store& bodies = state.bodies;
  const petsc::ConstView velocity(step.impact.end_velocity.get());
  const Trial trial = trial_of(bodies, velocity.span(), machinery.exchange, dt);
  Travel furthest;
  if (due.strays_meet) {
    furthest = furthest_of_strays(state, setup, machinery, {trial, is_converged(step), dt});
  }
  const Ends ends{trial.poses, trial.velocities, setup.cell, is_converged(step),
                  judged(setup.constraints->holds_shapes_apart(), due)};
  if (due.turns || due.goes_in_wall) {
    const std::vector<bool> yields = yielding_normals(step.formulated.contact_rows());
    furthest = further(furthest, furthest_into(bodies, step.contacts, yields, ends, dt));
  }
  if (due.turns && any_ring_or_mesh(bodies)) {
    const std::vector<Pair> pairs = meeting_pairs(state, setup, machinery);
    furthest = further(furthest, relinked(bodies, pairs, ends));
    furthest = further(furthest, through_meshes(bodies, pairs, ends));
  }
  return furthest;
}

}  // namespace scree
