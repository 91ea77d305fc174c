#pragma once

/// A small run that is sound in all its parts, and variations of it that are refused.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "scree/app/config/run_config.hpp"
#include "support/refusal.hpp"

namespace scree::test {

inline constexpr std::string_view kText = R"(name: small
time: {dt: 1e-3, end: 0.1}
keep_inside: {low: [-1, -1, -1], high: [1, 1, 1]}
materials:
  gravel: {density: 2600}
  steel: {density: 7850}
friction:
  - {between: [gravel, gravel], mu: 0.4}
  - {between: [steel, gravel], mu: 0.2}
bodies:
  bed:
    material: gravel
    radii: {type: list, values: [0.01, 0.02]}
    place: {type: points, positions: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]}
    fix: [rotation]
  pile:
    material: gravel
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0.1], high: [0.3, 0.3, 0.5], count: 20}
tools:
  floor: {material: steel, shape: {type: plane}, position: [0, 0, -0.1], normal: [0, 0, 1]}
  blade:
    material: steel
    shape: {type: box, size: [0.02, 0.3, 0.2]}
    orientation: {axis: [0, 1, 0], angle: 0.1}
    motion: {type: velocity, velocity: [0.2, 0, 0], start: 0.05}
  ball:
    material: steel
    shape: {type: sphere, radius: 0.1}
    motion: {type: table, times: [0, 1], displacements: [[0, 0, 0], [1, 0, 0]]}
solver: {method: nsgs, friction: associated, tolerance: 1e-6}
output: {directory: there}
debug: {fclib: {every: 5}}
)";

/// The run with @p what replaced by @p by.
inline std::string with(std::string_view what, std::string_view by) {
  std::string text(kText);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// The refusal of @p text.
inline std::string refusal(std::string_view text, const Overrides& overrides = {}) {
  return refusal_of([&] { read_run_config(text, "r.yaml", overrides); });
}

}  // namespace scree::test
