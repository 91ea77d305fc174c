#pragma once

/// The configuration of a run, as its steps take it: the same in every step and on every rank.

#include <memory>
#include <optional>
#include <vector>

#include "scree/bodies/materials.hpp"
#include "scree/domain/insertion.hpp"
#include "scree/domain/partition.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/loads/force_field.hpp"
#include "scree/problem/cones.hpp"
#include "scree/solver/options.hpp"
#include "scree/sources/growth.hpp"
#include "scree/sources/removal.hpp"
#include "scree/step/constraints.hpp"
#include "scree/step/impact.hpp"
#include "scree/step/joints.hpp"
#include "scree/step/row_source.hpp"
#include "scree/step/step_length.hpp"
#include "scree/step/stepper.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

struct Setup {
  double dt = 0.0;                   ///< of a whole step, s
  std::optional<StepLength> length;  ///< chooses that of its parts; none: they are whole
  Vec3 gravity = Vec3::Zero();
  Medium medium;
  std::shared_ptr<const Stepper> stepper;  ///< under that gravity, in that medium
  Flow flow;
  std::vector<ForceField> fields;
  PeriodicCell cell;
  ContactLaws laws;
  Friction friction;
  std::shared_ptr<const ImpactLaw> impact_law;
  std::shared_ptr<const Constraints> constraints;
  std::vector<std::shared_ptr<const RowSource>> sources;  ///< of rows, beside contacts
  std::shared_ptr<const JointSource> joints;  ///< that of them which gives joints; null: none
  double recovery_speed = 0.0;                ///< m/s; 0: a tenth of the smallest radius per step
  double max_compression = 0.5;  ///< of a spring in a converged step, over the inscribed radius
  std::vector<ToolSpec> tools;
  std::vector<Insertion> insertions;
  std::vector<Growth> growths;
  std::optional<BoxRegion> keep_inside;
  std::vector<RemovalBox> removal_boxes;
  BalanceOptions balance;
  NotConverged on_not_converged = NotConverged::fallback;
  bool keeps_starts = true;  ///< where solves started, with what they gave
  bool keeps_starts_of_unsolved = true;
  int halvings = 0;  ///< how often at most a step that does not converge is cut
};

}  // namespace scree
