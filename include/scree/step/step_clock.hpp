#pragma once

/// Time, as steps have it: step n goes from (n - 1) dt to n dt, and may be cut into halves, and
/// these again.
///
/// Parts are counted, not added, so that the parts of a step end exactly where the step does.

#include <cstdint>
#include <string>

namespace scree {

/// A step at hand, or a part of one.
struct StepClock {
  /// Parts that a step can be cut into at most: halves, kMostHalvings times.
  static constexpr int kMostHalvings = 30;
  static constexpr std::int64_t kParts = std::int64_t{1} << kMostHalvings;

  std::int64_t step = 1;        ///< number of the step, from 1
  std::int64_t first_part = 0;  ///< of the step's kParts
  std::int64_t parts = kParts;
  double time = 0.0;  ///< at the start, s
  double end = 0.0;   ///< s
  double dt = 0.0;    ///< s

  bool begins_step() const { return first_part == 0; }
  bool ends_step() const { return first_part + parts == kParts; }
  /// How often the step was cut to get this part.
  int halvings() const;
  /// Parts of this length that the step has, and the number of this one of them, from 1.
  std::int64_t parts_of_step() const { return kParts / parts; }
  std::int64_t part() const { return first_part / parts + 1; }
  /// For messages: the step, and the times of its part where it is one.
  std::string name() const;
};

/// How far a run is: whole steps, and parts of the next one.
struct StepCount {
  std::int64_t steps = 0;
  std::int64_t parts = 0;

  /// Share of the next step that is done.
  double share() const;
  /// s, where steps are @p dt long.
  double time(double dt) const;
  /// The part that comes next: the rest of the step, or what is left of the half in which a cut
  /// step stands.
  StepClock next(double dt) const;
  /// Where @p taken leaves off.
  static StepCount after(const StepClock& taken);
};

/// The first half of @p clock. @pre it can be cut: halvings() < kMostHalvings.
StepClock first_half(const StepClock& clock, double dt);

/// How long the next part of a step of @p dt may be, s.
struct LengthBounds {
  double longest;   ///< that resolves what happens in it
  double shortest;  ///< parts are not cut to less for that
};

/// The first part of @p clock that is no longer than @p bounds say; @p clock itself where it is
/// not, or its half would be shorter than the shortest. @p dt: of a whole step, s
StepClock within(const StepClock& clock, double dt, const LengthBounds& bounds);

}  // namespace scree
