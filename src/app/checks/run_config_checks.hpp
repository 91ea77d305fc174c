#pragma once

/// Requirements between the parts of a configuration: each key by itself is checked where it is
/// declared.

#include "scree/app/config/run_config.hpp"

namespace scree {

class Declaration;

/// Requires of @p config, through @p d, what concerns several of its parts: names that are not
/// taken twice, friction for all materials that can meet, laws and methods that know the contacts
/// of the run, shapes that can meet the tools, regions within the periodic cell. @pre the keys of
/// @p config were declared to @p d. Not collective.
void require_consistent(Declaration& d, const RunConfig& config);

/// The part of these that concerns friction and the other laws of two materials. @pre as of
/// require_consistent.
void require_friction(Declaration& d, const RunConfig& config);

/// The part that concerns what grows. @pre as of require_consistent.
void require_growth(Declaration& d, const RunConfig& config);

}  // namespace scree
