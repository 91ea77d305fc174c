#pragma once

/// How far a solved step takes bodies, where that may be too far.

#include "scree/contact/closing.hpp"
#include "scree/step/machinery.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"
#include "scree/step/step.hpp"

namespace scree {

/// The grain of this rank that goes furthest, or is pressed on another side of a hole or a ring
/// than the one that it is at. Velocities that are no numbers are refusal_of()'s concern. Not
/// collective.
Travel furthest_after(const State& state, const Setup& setup, const SolvedContacts& step,
                      double dt);

/// The grain of this rank that comes furthest into a body, or through one. Collective.
Travel furthest_passing(const State& state, const Setup& setup, Machinery& machinery,
                        const SolvedContacts& step, double dt);

}  // namespace scree
