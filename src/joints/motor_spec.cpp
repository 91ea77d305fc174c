#include "scree/joints/motor_spec.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 1> kTime{"t"};
constexpr std::array<std::string_view, 3> kTimeAndState{"t", "x", "v"};

/// The demand of @p velocity with a force up to @p most either way.
MotorDemand demand_up_to(double most, double velocity) {
  return {velocity, -most, most};
}

}  // namespace

void MotorFormula::declare(Declaration& d, std::string_view key, std::string_view help,
                           VariableNames variables) {
  d.text(key, text_, {.help = help});
  const std::string fault = fault_of_formula(text_, variables);
  d.require(key, fault.empty(), fault);
}

void MotorFormula::load(VariableNames variables) {
  formula_ = std::make_shared<const Formula>(text_, variables);
}

double MotorFormula::at(std::span<const double> values, std::string_view motor) const {
  if (!formula_) throw Failure("a motor has no formula: it was not loaded");
  const double value = (*formula_)(values);
  if (std::isfinite(value)) return value;
  throw InputError(
      fmt::format("motors.{}: \"{}\" is {} at {:.9g} s; it must have a finite value at all times",
                  motor, text_, value, values.front()));
}

void LargestForce::declare(Declaration& d) {
  d.text(
      "largest", text_,
      {.help =
           "formula of t: the largest force, N, or torque, N m, with which it moves; empty: any"});
  const std::string fault = text_.empty() ? text_ : fault_of_formula(text_, kTime);
  d.require("largest", fault.empty(), fault);
}

void LargestForce::load() {
  if (!text_.empty()) formula_ = std::make_shared<const Formula>(text_, kTime);
}

double LargestForce::at(double time, std::string_view motor) const {
  if (!formula_) return std::numeric_limits<double>::infinity();
  const double value = (*formula_)(std::span(&time, 1));
  if (std::isfinite(value) && value >= 0.0) return value;
  throw InputError(fmt::format(
      "motors.{}.largest: \"{}\" is {} at {:.9g} s; it must be 0 or more, and finite, at all times",
      motor, text_, value, time));
}

void VelocityMotor::declare(Declaration& d) {
  velocity.declare(d, "velocity", "formula of t, m/s or rad/s", kTime);
  largest.declare(d);
}
void VelocityMotor::load() {
  velocity.load(kTime);
  largest.load();
}
MotorDemand VelocityMotor::demand(const MotorInput& in) const {
  const double middle = in.time + 0.5 * in.dt;
  return demand_up_to(largest.at(in.time, in.motor), velocity.at(std::span(&middle, 1), in.motor));
}

void PositionMotor::declare(Declaration& d) {
  position.declare(d, "position", "formula of t, m or rad, from where the joint is placed", kTime);
  largest.declare(d);
}
void PositionMotor::load() {
  position.load(kTime);
  largest.load();
}
MotorDemand PositionMotor::demand(const MotorInput& in) const {
  const double end = in.time + in.dt;
  const double way = position.at(std::span(&end, 1), in.motor) - in.predicted;
  return demand_up_to(largest.at(in.time, in.motor), in.velocity + way / in.dt);
}

void LoadMotor::declare(Declaration& d) {
  formula.declare(d, "load",
                  "formula of t, and of the coordinate's place x and velocity v: N or N m",
                  kTimeAndState);
}
void LoadMotor::load() {
  formula.load(kTimeAndState);
}
MotorDemand LoadMotor::demand(const MotorInput& in) const {
  const std::array<double, 3> values{in.time, in.place, in.velocity};
  const double force = formula.at(values, in.motor);
  return {in.velocity, force, force};
}

void MotorSpec::declare(Declaration& d) {
  d.name_of("joints", "joint", joint, {.help = "the joint that it drives", .required = true});
  d.word("along", along, kAlong,
         {.help = "what it drives, of a joint that leaves two motions free; `free` is the only one "
                  "of another joint"});
  d.one_of("", type, {.help = "how it drives"});
}

bool MotorSpec::is_bounded() const {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.largest; }) return one.largest.is_given();
        return true;
      },
      type);
}

void MotorSpec::load() {
  std::visit([](auto& one) { one.load(); }, type);
}

MotorDemand MotorSpec::demand(const MotorInput& in) const {
  return std::visit([&in](const auto& one) { return one.demand(in); }, type);
}

}  // namespace scree
