#pragma once

/// Sources of rows: what gives the problem of a step rows beside those of its contacts, as joints
/// between bodies and motors do.
///
/// | a source says                                  | by                              |
/// | ---                                            | ---                             |
/// | bodies, cones, bias, R of its rows             | give(), problem/given_rows.hpp  |
/// | where their impulses start                     | the forces that are remembered  |
/// | what else it remembers from step to step       | state_after()                   |
///
/// Its own span of lambda comes back as row_results(): forces for tables, and what the next step
/// remembers (step/row_memory.hpp), which checkpoints hold and ranks send to each other. Nothing
/// else of a step knows what a source is. The solvers that take its cones are those that say so
/// (solver/needs.hpp); the others refuse the problem before they begin.
///
/// Contacts are the first source of each step, and their rows the first of its problem
/// (problem/contact_span.hpp). They are not of this class, since their rows are frames, which the
/// narrow phase writes and kernels read as they are, further ones are found within a step
/// (step/recursion.hpp), and their memory is joined by features. Impact laws, figures and forces on
/// tools are about contacts alone.
///
/// Kernels sweep frames alone; cones of sources are swept by rules beside them
/// (solver/sweeps/pair_problem.hpp).
///
/// To add a source: a class in a file of src/step, and its place in Setup::sources.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/domain/partition.hpp"
#include "scree/joints/joint_frame.hpp"
#include "scree/problem/given_rows.hpp"
#include "scree/step/row_memory.hpp"
#include "scree/step/step_clock.hpp"

namespace scree {

/// The use of rows: a step's velocities, or a projection of places (step/projection.hpp), which
/// takes what holds these alone.
enum class RowsFor { velocities, places };

/// The step at hand, as a source knows it.
struct SourceInput {
  const Store& bodies;  ///< tools with their velocities of the step, grains and ghosts at its start
  const Partition& partition;
  const PeriodicCell& cell;
  const StepClock& clock;
  const std::vector<RowRecord>& memory;  ///< of this source on this rank
  double last_dt;                        ///< of the step, or its part, that the memory is of, s
  std::span<const JointFrame> joints;
  RowsFor use = RowsFor::velocities;
  double recovery_speed = 0.0;  ///< largest, at which what is beyond a limit comes back, m/s
};

/// The part of a step's solution that belongs to one cone of a source.
struct RowResult {
  std::int64_t key = 0;   ///< GivenCone::key
  ConeNumbers impulse{};  ///< lambda of its rows, N s
  double dt = 0.0;        ///< of the step, s
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Its name in messages and checkpoints: a word, not that of another source.
  virtual std::string_view name() const = 0;
  /// Appends the cones that this rank gives in the step at hand, the same in each solve of the
  /// step. Each cone is given by one rank, which knows its bodies as its own or as ghosts: the one
  /// whose region holds a point that is in the boxes of all of them does, as the centre of the
  /// first may be. Not collective.
  virtual void give(const SourceInput& input, GivenRows& rows) const = 0;
  /// The cone of @p key as a user knows it, among @p joints. Not collective.
  virtual std::string name_of_cone(std::int64_t key, std::span<const JointFrame> joints) const;
  /// The number that is remembered of a cone besides its forces. @p before: its record of the step
  /// before, null where the cone is new. Not collective.
  virtual double state_after(const RowResult& /*result*/, const RowRecord* /*before*/,
                             std::span<const JointFrame> /*joints*/) const {
    return 0.0;
  }
};

/// The rows that the sources of a run give in a step, one source after another.
struct SourcedRows {
  GivenRows rows;
  std::vector<std::size_t> end;  ///< past the last cone of each of Setup::sources
};

struct SolvedContacts;

/// The results of the cones that this rank gave for the @p source-th of Setup::sources in a step of
/// @p dt. Not collective.
std::vector<RowResult> row_results(const SolvedContacts& step, std::size_t source, double dt);

}  // namespace scree
