#include "formula_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <variant>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

/// The words of what @p evaluate throws; empty where it has a value.
template <class Evaluate>
std::string fault_of(Evaluate&& evaluate) {
  try {
    evaluate();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The fault of @p motor at the last of some times, where it has one at all of them.
std::string fault_of_motor(const MotorSpec& motor, const BeginsBetween& times, double dt) {
  constexpr int kTimes = 1000;
  const auto [from, to] = times;
  const int last = to > from ? kTimes : 0;
  std::string fault;
  for (int i = 0; i <= last; ++i) {
    const double t = from + (to - from) * i / kTimes;
    fault = fault_of([&] { motor.demand({.motor = motor.name, .time = t, .dt = dt}); });
    if (fault.empty()) return {};
  }
  return fault;
}

/// A ball for each material, which is put at one place after another.
class Probe {
 public:
  Probe(const RunConfig& config, double radius, const BeginsBetween& times) : times_(times) {
    for (std::size_t i = 0; i < config.materials.size(); ++i) {
      append_grain(bodies_, {.id = static_cast<std::int64_t>(i),
                             .shape = Sphere{radius},
                             .density = config.materials[i].density,
                             .material = static_cast<std::int32_t>(i)});
    }
  }

  /// The last fault of @p evaluate(bodies, slot, t), where it has one for all balls that it is for
  /// wherever they are; empty where it is for none.
  template <class IsFor, class Evaluate>
  std::string fault_everywhere(const IsFor& is_for, const Evaluate& evaluate) {
    constexpr int kPlaces = 10000;
    std::string fault;
    for (std::int32_t slot = bodies_.first_owned(); slot < bodies_.end_owned(); ++slot) {
      if (!is_for(bodies_, slot)) continue;
      for (int i = 0; i < kPlaces; ++i) {
        const double t = put(slot);
        fault = fault_of([&] { evaluate(bodies_, slot, t); });
        if (fault.empty()) return {};
      }
    }
    if (fault.empty()) return {};
    return fmt::format("{}; nor has it one at any of {} other places, velocities and times", fault,
                       kPlaces);
  }

 private:
  /// Puts the ball in @p slot somewhere. @returns a time
  double put(std::int32_t slot) {
    bodies_.position[slot] = anywhere();
    bodies_.velocity[slot] = anywhere();
    bodies_.orientation[slot] =
        Quat(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalized();
    return between(times_.from, times_.to);
  }

  /// Numbers of both signs and of any size that places and velocities have.
  Vec3 anywhere() {
    const auto number = [this] {
      return std::copysign(std::pow(10.0, between(-4, 4)), between(-1, 1));
    };
    return {number(), number(), number()};
  }

  double between(double low, double high) {
    return low + (high - low) * std::generate_canonical<double, 53>(random_);
  }

  BeginsBetween times_;
  Store bodies_;
  std::mt19937_64 random_{1};
};

}  // namespace

void refuse_motors_without_value(const RunConfig& config, const BeginsBetween& times) {
  for (const MotorSpec& motor : config.motors) {
    if (std::holds_alternative<LoadMotor>(motor.type)) continue;
    const std::string fault = fault_of_motor(motor, times, config.time.dt);
    if (!fault.empty()) throw InputError(fault);
  }
}

void refuse_fields_without_value(const RunConfig& config, const Setup& setup, double radius,
                                 const BeginsBetween& times) {
  if (setup.fields.empty() && setup.flow.at_rest()) return;
  Probe probe(config, radius, times);
  const auto refuse = [&probe](const auto& is_for, const auto& evaluate) {
    const std::string fault = probe.fault_everywhere(is_for, evaluate);
    if (!fault.empty()) throw InputError(fault);
  };
  for (const ForceField& field : setup.fields) {
    refuse([&](const Store& bodies, std::int32_t slot) { return field.acts_on(bodies, slot); },
           [&](const Store& bodies, std::int32_t slot, double t) { field.on(bodies, slot, t); });
  }
  if (setup.flow.at_rest()) return;
  refuse([](const Store& /*bodies*/, std::int32_t /*slot*/) { return true; },
         [&](const Store& bodies, std::int32_t slot, double t) {
           setup.flow.around(bodies, slot, t);
         });
}

void refuse_loads_without_value(const Setup& setup,
                                const std::function<bool(const ToolSpec&)>& is_to_begin) {
  for (const ToolSpec& tool : setup.tools) {
    const LoadMotion* const load = tool.load();
    if (load == nullptr || !is_to_begin(tool)) continue;
    load->load_at(0.0, tool.name);
    if (load->presses()) load->pressure_at(0.0, tool.name);
  }
}

}  // namespace scree
