#pragma once

/// How the surfaces of a step's contacts slide on each other.

#include <vector>

#include "scree/step/step.hpp"

namespace scree {

struct Slip {
  double speed = 0.0;  ///< m/s; 0 of a contact without friction
  bool slips = true;
  double work = 0.0;  ///< that friction takes in the step, J
};

/// The slips of this rank's contacts. Collective.
std::vector<Slip> slips_of(const StepResult& result);

}  // namespace scree
