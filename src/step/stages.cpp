#include "stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "listing.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/sources/groups.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/stepper.hpp"

namespace scree {
namespace {

/// Part of the smallest radius by which skins are wider than boxes.
constexpr double kSkin = 0.1;

std::span<const double> work_of(const Store& bodies) {
  return std::span(bodies.work).subspan(bodies.first_owned(), bodies.n_owned);
}

/// The loads on the bodies at a time, by which they are predicted.
struct LoadsOrFault {
  Loads loads;
  std::string fault;  ///< why there is no v_free, on any rank
};

/// Collective.
LoadsOrFault act(State& state, const Setup& setup, MPI_Comm comm, double t, double dt) {
  LoadsOrFault result;
  try {
    result.loads = loads(state.bodies, setup.fields, setup.flow, setup.tools, t);
    predict(state.bodies, *setup.stepper, result.loads, dt);
  } catch (const InputError& error) {
    result.fault = error.what();
  }
  result.fault = first_text(comm, result.fault);
  return result;
}

/// Each grain to its owner, which ends the pair list. Collective.
void send_home(State& state, Machinery& machinery) {
  machinery.neighbours.clear();
  machinery.exchange.migrate(state.bodies, machinery.partition.owners(state.bodies));
}

/// The most by which the skin of a grain of any rank is wider than its box, m. Collective.
double widest_skin(const Store& bodies, MPI_Comm comm) {
  double widest = 0.0;
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    const Box3& box = bodies.box[slot];
    const Box3& skin = bodies.skin[slot];
    const Vec3 wider = (box.low - skin.low).cwiseMax(skin.high - box.high);
    widest = std::max(widest, wider.maxCoeff());
  }
  return max_over_ranks(comm, widest);
}

/// Sends what contacts and rows carry to the ranks that may have them by the present skins.
/// Collective.
void send_memory(State& state, const Setup& setup, const Machinery& machinery) {
  if (size_of(machinery.comm) == 1) return;
  const double widest = widest_skin(state.bodies, machinery.comm);
  state.contacts.redistribute(machinery.partition, setup.cell, widest);
  redistribute(state.rows, machinery.partition, setup.cell, widest);
}

}  // namespace

void insert(State& state, const Setup& setup, const Partition& partition, double time) {
  for (std::size_t i = 0; i < setup.insertions.size(); ++i) {
    state.next_id += setup.insertions[i].insert(state.insertions[i], state.bodies, partition,
                                                setup.cell, time, state.next_id);
  }
}

Predicted predict(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock) {
  const LogStage stage(Stage::domain);
  set_tool_velocities(state.bodies, setup.tools, clock.time, clock.dt);
  LoadsOrFault acting = act(state, setup, machinery.comm, clock.time, clock.dt);
  if (!acting.fault.empty()) {
    throw Failure(fmt::format("{}: {}", clock.name(), acting.fault));
  }
  update_boxes(state.bodies, reach_of(state, setup, clock.dt));
  if (setup.joints) cover_joints(state.joints, setup.joints->joints(), state.bodies);
  auto left = machinery.neighbours.left(state.bodies, kSkin * state.smallest_radius, clock.dt);
  const int here = static_cast<int>(
      listing_after(left, state.bodies, setup.cell, machinery.exchange, machinery.partition));
  Predicted result{
      std::move(acting.loads), static_cast<Listing>(max_over_ranks(machinery.comm, here)), {}};
  if (result.listing == Listing::mended) result.new_skins = std::move(*left);
  return result;
}

Predicted distribute(State& state, const Setup& setup, Machinery& machinery,
                     const StepClock& clock) {
  const bool cut =
      machinery.partition.rebalance(state.bodies, work_of(state.bodies), setup.balance);
  if (!cut && machinery.neighbours.may_last()) {
    Predicted predicted = predict(state, setup, machinery, clock);
    if (predicted.listing != Listing::anew) return predicted;
  }
  send_home(state, machinery);
  return predict(state, setup, machinery, clock);
}

void bring_ghosts(State& state, const Setup& setup, Machinery& machinery, const StepClock& clock,
                  const Predicted& predicted) {
  const LogStage stage(Stage::domain);
  Store& bodies = state.bodies;
  if (predicted.listing == Listing::kept) {
    const Sync kind = setup.growths.empty() ? Sync::motion : Sync::growth;
    machinery.exchange.refresh(bodies, kind, setup.cell);
    redistribute(state.rows, machinery.partition, setup.cell);
    return;
  }
  if (predicted.listing == Listing::mended) {
    renew(predicted.new_skins, bodies, setup.cell, machinery.exchange, machinery.neighbours);
    send_memory(state, setup, machinery);
    return;
  }
  machinery.neighbours.begin(bodies, kSkin * state.smallest_radius, clock.dt);
  machinery.exchange.ghosts(bodies, machinery.partition, setup.cell);
  machinery.numbers = number(bodies, machinery.exchange);
  if (machinery.numbers.n_bodies_global > kMaxGrains) {
    throw Failure(fmt::format("{}: {} grains; at most {} can be numbered", clock.name(),
                              machinery.numbers.n_bodies_global, kMaxGrains));
  }
  send_memory(state, setup, machinery);
}

std::string fault_of_loads_at(State& state, const Setup& setup, MPI_Comm comm, double time,
                              double dt) {
  return act(state, setup, comm, time, dt).fault;
}

Found find(State& state, const Setup& setup, Machinery& machinery, const FindInput& input,
           Predicted predicted, Moved& moved) {
  const auto& [clock, give_up, seconds] = input;
  Found now{std::move(predicted), {}};
  for (int projections = 0;; ++projections) {
    seconds.time(&StageSeconds::domain,
                 [&] { bring_ghosts(state, setup, machinery, clock, now.predicted); });
    now.contacts = seconds.time(&StageSeconds::contacts,
                                [&] { return detect(state, setup, clock.dt, machinery); });
    const bool is_first = state.done.steps == 0 && state.done.parts == 0;
    if (!is_first || projections == kMostProjections) return now;
    const bool any = seconds.time(&StageSeconds::solve, [&] {
      return project_overlaps(state, setup, machinery,
                              {.numbers = machinery.numbers,
                               .contacts = now.contacts,
                               .loads = now.predicted.loads,
                               .clock = clock,
                               .give_up = give_up},
                              moved.from, moved.sum);
    });
    if (!any) return now;
    now.predicted = seconds.time(&StageSeconds::domain,
                                 [&] { return predict(state, setup, machinery, clock); });
  }
}

}  // namespace scree
