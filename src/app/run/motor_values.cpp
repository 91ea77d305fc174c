#include "motor_values.hpp"

#include <string>
#include <variant>

#include "scree/base/check.hpp"

namespace scree {
namespace {

/// Why @p motor has no demand in a step from the time @p t on; empty where it has one.
std::string fault_at(const MotorSpec& motor, double t, double dt) {
  try {
    motor.demand({.motor = motor.name, .time = t, .dt = dt});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The fault of @p motor at the last of some times, where it has one at all of them.
std::string fault_between(const MotorSpec& motor, double from, double to, double dt) {
  constexpr int kTimes = 1000;
  const int last = to > from ? kTimes : 0;
  std::string fault;
  for (int i = 0; i <= last; ++i) {
    fault = fault_at(motor, from + (to - from) * i / kTimes, dt);
    if (fault.empty()) return {};
  }
  return fault;
}

}  // namespace

void refuse_motors_without_value(const RunConfig& config, double from, double to) {
  for (const MotorSpec& motor : config.motors) {
    if (std::holds_alternative<LoadMotor>(motor.type)) continue;
    const std::string fault = fault_between(motor, from, to, config.time.dt);
    if (!fault.empty()) throw InputError(fault);
  }
}

}  // namespace scree
