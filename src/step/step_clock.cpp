#include "scree/step/step_clock.hpp"

#include <fmt/format.h>

#include <bit>

#include "scree/base/check.hpp"

namespace scree {
namespace {

double fraction(std::int64_t parts) {
  return static_cast<double>(parts) / static_cast<double>(StepClock::kParts);
}

double time_at(std::int64_t steps, std::int64_t parts, double dt) {
  return (static_cast<double>(steps) + fraction(parts)) * dt;
}

/// The parts [@p first, @p first + @p parts) of the step after @p steps whole ones.
StepClock clock_of(std::int64_t steps, std::int64_t first, std::int64_t parts, double dt) {
  return {.step = steps + 1,
          .first_part = first,
          .parts = parts,
          .time = time_at(steps, first, dt),
          .end = time_at(steps, first + parts, dt),
          .dt = fraction(parts) * dt};
}

}  // namespace

int StepClock::halvings() const {
  return kMostHalvings - std::countr_zero(static_cast<std::uint64_t>(parts));
}

std::string StepClock::name() const {
  if (parts == kParts) return fmt::format("step {}", step);
  return fmt::format("step {}, {:.9g} s to {:.9g} s", step, time, end);
}

double StepCount::share() const {
  return fraction(parts);
}

double StepCount::time(double dt) const {
  return time_at(steps, parts, dt);
}

StepClock StepCount::next(double dt) const {
  // The lowest bit of what is done tells the half that is left.
  const std::int64_t left = parts == 0 ? StepClock::kParts : parts & -parts;
  return clock_of(steps, parts, left, dt);
}

StepCount StepCount::after(const StepClock& taken) {
  if (taken.ends_step()) return {taken.step, 0};
  return {taken.step - 1, taken.first_part + taken.parts};
}

StepClock first_half(const StepClock& clock, double dt) {
  SCREE_ASSERT(clock.halvings() < StepClock::kMostHalvings);
  return clock_of(clock.step - 1, clock.first_part, clock.parts / 2, dt);
}

StepClock within(const StepClock& clock, double dt, const LengthBounds& bounds) {
  constexpr double kRounding = 1e-12;  // of lengths that are the bounds themselves
  StepClock part = clock;
  while (part.dt > bounds.longest * (1.0 + kRounding) &&
         0.5 * part.dt >= bounds.shortest * (1.0 - kRounding) &&
         part.halvings() < StepClock::kMostHalvings) {
    part = first_half(part, dt);
  }
  return part;
}

}  // namespace scree
