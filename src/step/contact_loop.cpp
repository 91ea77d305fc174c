#include "scree/step/contact_loop.hpp"

#include <utility>

#include "formulate_and_solve.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/step/joints.hpp"

namespace scree {

Reach reach_of(const State& state, const Setup& setup, double dt) {
  return {.dt = dt,
          .smallest_radius = state.smallest_radius,
          .cell = setup.cell,
          .rupture_distance = setup.laws.largest_rupture_distance(),
          .spare = setup.constraints->spare() * state.smallest_radius};
}

std::vector<Pair> meeting_pairs(const State& state, const Setup& setup,
                                const Machinery& machinery) {
  std::vector<Pair> pairs = machinery.neighbours.meeting(state.bodies);
  drop_joined(state.joints, state.bodies, setup.cell, pairs);
  return pairs;
}

ContactList detect(const State& state, const Setup& setup, double dt, Machinery& machinery) {
  const LogStage stage(Stage::contacts);
  const Partition& partition = machinery.partition;
  const Reach reach = reach_of(state, setup, dt);
  machinery.neighbours.serve(
      state.bodies, [&partition](const Vec3& point) { return partition.holds(point); },
      setup.laws.meetings());
  const std::vector<Pair> pairs = meeting_pairs(state, setup, machinery);
  auto narrow =
      narrowed(machinery.comm, [&] { return setup.constraints->find(state.bodies, pairs, reach); });
  if (!narrow.fault.empty()) throw Failure(narrow.fault);
  return std::move(narrow.contacts);
}

SolvedContacts solve_contacts(const State& state, const Setup& setup, Machinery& machinery,
                              ContactList contacts, const ContactInput& input,
                              StageClock& seconds) {
  return setup.constraints->solve({state, setup, machinery, input, seconds}, std::move(contacts));
}

}  // namespace scree
