#pragma once

#include "app/run/observer.hpp"

namespace scree {

/// What console and run.log say of each part of a step, and at the end (app/run/progress.hpp).
class ProgressLines final : public Observer {
 public:
  using Observer::Observer;
  void after_part(const ObservedStep& part) override;
  void finish() override { run_.progress.finish(); }
};

}  // namespace scree
