#pragma once

#include <string>

#include "app/run/simulation.hpp"

namespace scree {

/// Part of a radius by which bodies may overlap at the start without a word.
inline constexpr double kNotableOverlap = 0.01;

/// The warning about bodies that overlap before the first step: the deepest pair, its depth and
/// the remedy; empty when none overlaps by more than kNotableOverlap of the smaller radius. The
/// same on every rank. Collective.
std::string overlap_at_start(Simulation& simulation);

}  // namespace scree
