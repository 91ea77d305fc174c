#pragma once

/// Motors, which drive a coordinate that a joint leaves free, with a force or a torque between its
/// two bodies.
///
/// A type of motor says what it asks of its coordinate in a step (MotorDemand): a velocity, and
/// between which bounds the force lies that brings it about; a force alone where the bounds are
/// one. To add a type: a struct like these, and its place in MotorSpec::type.

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "scree/config/formula.hpp"
#include "scree/joints/coordinate_spec.hpp"

namespace scree {

class Declaration;

/// The step at hand, as a motor knows it: m or rad, m/s or rad/s.
struct MotorInput {
  std::string_view motor;  ///< its name, for messages
  double time = 0.0;       ///< at the start of the step, s
  double dt = 0.0;         ///< s
  double place = 0.0;      ///< at the start
  double velocity = 0.0;   ///< at the start
  double predicted = 0.0;  ///< place at the end, should the velocity stay
};

struct MotorDemand {
  double velocity = 0.0;  ///< for the step, m/s or rad/s
  double least = 0.0;     ///< force or torque on the first body, N or N m
  double most = 0.0;

  bool has_bounds() const { return std::isfinite(least) && std::isfinite(most); }
};

/// A formula whose text a file gives.
class MotorFormula {
 public:
  void declare(Declaration& d, std::string_view key, std::string_view help,
               VariableNames variables);
  void load(VariableNames variables);
  /// @pre loaded. @throws InputError naming @p motor where the value is not finite. The first of @p
  /// values is the time.
  double at(std::span<const double> values, std::string_view motor) const;

 private:
  std::string text_ = "0";
  std::shared_ptr<const Formula> formula_;
};

/// The bound of a motor's force, N, or torque, N m: a formula of t, or none.
class LargestForce {
 public:
  void declare(Declaration& d);
  void load();
  /// Infinite where there is no bound. @pre loaded. @throws InputError naming @p motor where the
  /// value is below 0 or not finite
  double at(double time, std::string_view motor) const;
  bool is_given() const { return !text_.empty(); }

 private:
  std::string text_;
  std::shared_ptr<const Formula> formula_;
};

struct VelocityMotor {
  static constexpr std::string_view kType = "velocity";
  static constexpr std::string_view kHelp = "moves at a velocity, with what force that takes";

  MotorFormula velocity;  ///< of t, m/s or rad/s
  LargestForce largest;

  void declare(Declaration& d);
  void load();
  MotorDemand demand(const MotorInput& in) const;
};

struct PositionMotor {
  static constexpr std::string_view kType = "position";
  static constexpr std::string_view kHelp =
      "brings to a place, or along a path, with what force that takes";

  MotorFormula position;  ///< of t, m or rad
  LargestForce largest;

  void declare(Declaration& d);
  void load();
  MotorDemand demand(const MotorInput& in) const;
};

struct LoadMotor {
  static constexpr std::string_view kType = "load";
  static constexpr std::string_view kHelp =
      "acts with a force, or torque, by a formula of the time and of the motor's own state";

  MotorFormula formula;  ///< of t, x, v: N or N m

  void declare(Declaration& d);
  void load();
  MotorDemand demand(const MotorInput& in) const;
};

struct MotorSpec {
  /// Words for what is driven: the coordinate of a joint that leaves one free, or one by name.
  static constexpr std::array<std::string_view, 4> kAlong{"free", "slide", "turn", "stretch"};

  std::string name;
  std::string joint;
  std::string along{kAlong.front()};
  std::variant<VelocityMotor, PositionMotor, LoadMotor> type;

  void declare(Declaration& d);
  /// Whether its force has a bound.
  bool is_bounded() const;
  /// Makes formulas of the texts.
  void load();
  /// @pre loaded. @throws InputError
  MotorDemand demand(const MotorInput& in) const;
};

}  // namespace scree
