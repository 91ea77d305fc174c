#pragma once

/// Keys of a configuration that may change while a run goes on: at a restart, and from one stage to
/// the next.

#include <string>
#include <string_view>
#include <vector>

#include "scree/config/compare.hpp"

namespace scree {

/// Why a run cannot go on from a checkpoint with these changes; empty when it can.
std::string fault_at_restart(const std::vector<Difference>& changes);

/// The first of @p changes that a stage may not make; null where it may make all. A stage may
/// change what a restart may, but for what is the whole run's (its name, time, stages and output),
/// files that a restart finds elsewhere, and places of tools, which go on from where they are.
const Difference* unfit_for_a_stage(const std::vector<Difference>& changes);

/// `time.dt was 0.001 and is 0.002`
std::string in_words(const Difference& change);

/// Whether @p key is that of @p section, or stands under it.
bool lies_under(std::string_view key, std::string_view section);

}  // namespace scree
