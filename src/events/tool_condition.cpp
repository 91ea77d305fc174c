#include "scree/events/tool_condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// Quantities of a tool, three of each vector of ToolSituation in its order.
constexpr std::array<std::string_view, 12> kQuantities{
    "force_x",    "force_y",    "force_z",    "torque_x",   "torque_y",   "torque_z",
    "position_x", "position_y", "position_z", "velocity_x", "velocity_y", "velocity_z"};
constexpr std::array<std::string_view, 4> kUnits{"N", "N m", "m", "m/s"};

std::size_t index_of(std::string_view quantity) {
  return static_cast<std::size_t>(std::ranges::find(kQuantities, quantity) - kQuantities.begin());
}

double value_of(const ToolSituation& tool, std::string_view quantity) {
  const std::array vectors{&tool.force, &tool.torque, &tool.position, &tool.velocity};
  const std::size_t i = index_of(quantity);
  return (*vectors.at(i / 3))[static_cast<Eigen::Index>(i % 3)];
}

}  // namespace

void ToolCondition::declare(Declaration& d) {
  d.name_of("tools", "tool", tool, {.help = "tool that it looks at", .required = true});
  d.word("quantity", quantity, kQuantities,
         {.help = "column of tools.csv that it looks at, in the unit of that", .required = true});
  d.real("above", above, {.help = "the quantity is to be above it"});
  d.real("below", below, {.help = "the quantity is to be below it"});
  d.require("quantity", std::isfinite(above) || std::isfinite(below),
            "has no bound; allowed: above, below or both");
  d.require("below", above < below, "is not above `above`, so that nothing lies between");
}

bool ToolCondition::holds(const Situation& now) const {
  const auto at = std::ranges::find(now.tools, tool, &ToolSituation::name);
  if (at == now.tools.end()) throw Failure(fmt::format("there is no tool \"{}\"", tool));
  const double value = value_of(*at, quantity);
  return above < value && value < below;
}

std::string ToolCondition::in_words() const {
  const std::string_view unit = kUnits.at(index_of(quantity) / 3);
  std::vector<std::string> bounds;
  if (std::isfinite(above)) bounds.push_back(fmt::format("above {} {}", above, unit));
  if (std::isfinite(below)) bounds.push_back(fmt::format("below {} {}", below, unit));
  return fmt::format("{} of {} {}", quantity, tool, fmt::join(bounds, " and "));
}

}  // namespace scree
