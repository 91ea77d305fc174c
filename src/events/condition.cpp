#include "scree/events/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// Whether @p time has come to @p bound but for the rounding of times.
bool has_come(double time, double bound, double now) {
  constexpr double kRounding = 1e-12;
  return time >= bound - kRounding * now;
}

}  // namespace

void Condition::declare(Declaration& d) {
  d.real("time_after", time_after, {.help = "not before this time", .unit = "s", .min = 0.0});
  d.real("duration", duration,
         {.help = "not before it has lasted so long", .unit = "s", .min = 0.0});
  d.real("kinetic_energy_below", kinetic_energy_below,
         {.help = "grains and free tools are to have less, as in steps.csv; it is small, too, "
                  "where grains begin to fall",
          .unit = "J",
          .above = 0.0});
  d.list("tools", tools, {.help = "bounds on places, velocities and loads of tools"});
  d.require(
      "time_after",
      time_after > 0.0 || duration > 0.0 || std::isfinite(kinetic_energy_below) || !tools.empty(),
      "is 0, and there is no other condition; allowed: one or more of time_after, duration, "
      "kinetic_energy_below and tools");
}

bool Condition::holds(const Situation& now, double since) const {
  return has_come(now.time, time_after, now.time) &&
         has_come(now.time - since, duration, now.time) &&
         now.kinetic_energy < kinetic_energy_below &&
         std::ranges::all_of(tools, [&](const ToolCondition& one) { return one.holds(now); });
}

std::string Condition::in_words() const {
  std::vector<std::string> all;
  if (time_after > 0.0) all.push_back(fmt::format("not before {} s", time_after));
  if (duration > 0.0) all.push_back(fmt::format("after {} s", duration));
  if (std::isfinite(kinetic_energy_below)) {
    all.push_back(fmt::format("kinetic energy below {} J", kinetic_energy_below));
  }
  for (const ToolCondition& one : tools) all.push_back(one.in_words());
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace scree
