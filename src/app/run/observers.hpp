#pragma once

/// All observers of a run (src/app/run/observers/list.cpp), as one.

#include <memory>
#include <string>
#include <vector>

#include "observer.hpp"

namespace scree {

/// All members but take_seconds() are collective.
class Observers {
 public:
  explicit Observers(ObservedRun run);
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  /// Before the first step. @param goes_on the folder holds the run until here, and perhaps later
  /// things
  void start(bool goes_on);
  void after_step(const ObservedStep& step);
  /// Remarks about a step that was refused besides the reason; empty: none.
  std::string after_refusal();
  /// See Observer::after_giving_up.
  void after_giving_up(double elapsed);
  void finish();
  /// Wall seconds spent after steps since the last call of this function. Not collective.
  double take_seconds();

 private:
  ObservedRun run_;
  std::vector<std::unique_ptr<Observer>> all_;  ///< in the order of their turns
  double seconds_ = 0.0;
};

}  // namespace scree
