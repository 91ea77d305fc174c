#pragma once

/// One step, on values: the way that data goes is step.cpp's take_step().

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/step/contact_figures.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/load_power.hpp"
#include "scree/step/projection.hpp"
#include "scree/step/tool_forces.hpp"
#include "scree/step/worst_contact.hpp"

namespace scree {

/// The place of a body in the configuration.
struct BodyKind {
  bool is_tool = false;
  std::int32_t group = 0;     ///< the tool's place in the configuration; else as Store::group
  std::int32_t material = 0;  ///< as Store::material
};

/// The body of a slot at the start of a step, before any were removed or moved to other slots.
struct PlacedBody {
  std::int64_t id;
  Vec3 centre;  ///< m
  BodyKind kind;
};

/// The result of a step, or of a part of a step that was cut, for those who look at it.
struct StepResult : SolvedContacts {
  StepClock clock;
  double resolved = 0.0;  ///< the longest step that resolves it, s, where lengths are chosen
  /// Why it was not taken; empty when it was. The same on every rank.
  std::string refusal;
  std::vector<std::int64_t> body_ids;  ///< of this rank's blocks of the problem, six dofs each
  std::vector<PlacedBody> at_start;    ///< each slot
  ContactFigures figures;
  LoadPower load_power;
  Projected projected;           ///< before the step was formulated
  std::vector<Wrench> wrenches;  ///< on each tool, about its position at the start of the step
  std::vector<JointForce> joint_forces;  ///< of each joint of the state, as the step began
  Traffic traffic;                       ///< of this rank in the step
  std::int64_t n_ghosts = 0;             ///< of this rank in the step
  std::optional<WorstContact> worst;  ///< where the solve did not converge; the same on every rank
  std::string worst_cone;             ///< its name where it is of a source of rows
};

/// Takes @p state one step further, or one part of a step: half of what was asked, and half of
/// that, where Setup::length asks for it; where a grain goes further than a step of that length
/// allows (contact/closing.hpp); and
/// where the solve did not converge and Setup::on_not_converged is `halve`, Setup::halvings times
/// at most. Collective.
///
/// The result is refused, and no grain has moved, when velocities after the step are not finite,
/// the solve did not converge and on_not_converged is `abort`, or grains stay wedged
/// (step/wedges.hpp); grains that were due have come in.
/// @throws GivenUp, on every rank, where one wants it by @p give_up (Goal::give_up); @p
/// state is then as it was, but for which rank has what.
/// @throws Failure, on every rank, when what acts on a grain has no value, or a step cannot be cut
/// as short as a grain is fast.
StepResult take_step(State& state, const Setup& setup, Machinery& machinery, StageClock& seconds,
                     const GiveUp& give_up = {});

/// Why the next step cannot be taken for what acts on grains; empty when it can. Collective.
std::string fault_of_loads(State& state, const Setup& setup, const Machinery& machinery);

/// The potential contacts of the bodies as they stand. Nothing moves but grains between ranks.
/// Collective.
ContactList contacts_at_rest(State& state, const Setup& setup, Machinery& machinery);

}  // namespace scree
