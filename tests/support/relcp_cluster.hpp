#pragma once

/// A scene for ReLCP and what stands beside it.

#include <fmt/format.h>

#include <string>

namespace scree::test {

/// Ellipsoids that are drawn to the origin.
inline std::string cluster(const char* constraints) {
  return fmt::format(R"(
time: {{dt: 0.02, end: 10}}
gravity: [0, 0, 0]
contact: {{constraints: {}, overlap_tolerance: 1e-6}}
solver: {{tolerance: 1e-9}}
materials: {{stone: {{density: 1000}}}}
friction: [{{between: [stone, stone], mu: 0}}]
forces: {{well: {{force: ["-20*x", "-20*y", "-20*z"]}}}}
bodies:
  grains:
    material: stone
    shape: {{type: ellipsoid, semi_axes: [0.1, 0.1, 0.2]}}
    place: {{type: box, low: [-0.8, -0.8, -0.8], high: [0.8, 0.8, 0.8], count: 40, seed: 4}}
)",
                     constraints);
}

}  // namespace scree::test
