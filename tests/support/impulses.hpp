#pragma once

/// Impulses of a step's contacts in the world frame.

#include "scree/step/step.hpp"
#include "step/contact_impulse.hpp"

namespace scree::test {

/// The world impulse that contact @p i gives to A.
inline Vec3 impulse_on_a(const StepResult& step, std::size_t i) {
  const petsc::ConstView lambda(step.impact.impulse.get());
  return world_impulse(step.contacts[i], step.formulated.contact_rows().of(i, lambda.span()));
}

}  // namespace scree::test
