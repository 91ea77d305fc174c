#pragma once

#include <string_view>

namespace scree {

/// Help of the key `inertia` of every method that sweeps.
inline constexpr std::string_view kInertiaHelp =
    "carry each sweep's moves on into the next, which takes fewer sweeps; problem files with "
    "equations or deformable bodies are swept plainly";

}  // namespace scree
