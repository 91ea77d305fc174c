#pragma once

/// The ends of bodies that stray (contact/strays.hpp), held against all that stands there: bodies
/// of other ranks, and images across the sides of a periodic cell, of which the step knew nothing.

#include "scree/contact/closing.hpp"
#include "scree/step/machinery.hpp"
#include "scree/step/recursion.hpp"
#include "scree/step/setup.hpp"
#include "scree/step/state.hpp"

namespace scree {

/// Bodies where a solve takes them.
struct SolvedEnds {
  const Trial& trial;
  bool is_solved;  ///< whether the solve converged
  double dt;       ///< s
};

/// By how much bodies may stray without a look at their ends, m.
double tolerated_stray(const State& state);

/// The grain of this rank that comes furthest into a body of which the step knows no contact, where
/// that is too far. Collective.
Travel furthest_of_strays(const State& state, const Setup& setup, Machinery& machinery,
                          const SolvedEnds& ends);

}  // namespace scree
