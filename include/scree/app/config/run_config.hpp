#pragma once

/// Everything that a run is told: one struct, filled from YAML, whose parts are declared beside the
/// code that uses them. The key reference and the JSON Schema come from the same declarations
/// (app/commands/schema_command.hpp).

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/app/config/stages.hpp"
#include "scree/app/run/observer_options.hpp"
#include "scree/base/enumeration.hpp"
#include "scree/base/math.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/config/reader.hpp"
#include "scree/domain/partition.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/joints/joint_spec.hpp"
#include "scree/joints/motor_spec.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/loads/force_field.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/options.hpp"
#include "scree/sources/groups.hpp"
#include "scree/sources/growth.hpp"
#include "scree/sources/insertion.hpp"
#include "scree/sources/removal.hpp"
#include "scree/step/constraint_options.hpp"
#include "scree/step/impact_options.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

class Declaration;

/// The keys under `time:`.
struct TimeOptions {
  double dt = 1e-3;      ///< of a whole step, s; where it is chosen, max
  bool is_auto = false;  ///< the parts of a step are as long as what happens in them allows
  double min = 0.0;      ///< s; the least of these lengths
  double max = 0.0;      ///< s
  double end = 1.0;      ///< s

  void declare(Declaration& d);
  /// Steps from 0 to `end`: the last one may pass it by less than dt.
  std::int64_t n_steps() const;
  /// The longest length of steps up to @p longest, s; the shortest of them where all are longer.
  double length_within(double longest) const;

 private:
  void require_bounds(Declaration& d) const;
};

/// Whether bodies go on by themselves, or stop where nothing drives them.
enum class Dynamics { inertial, overdamped };
template <>
inline constexpr std::array kNamesOf<Dynamics> = names("inertial", "overdamped");

/// The keys under `contact:`.
struct ContactOptions {
  StiffnessOptions stiffness;
  double recovery_speed = 0.0;   ///< m/s; 0: a tenth of the smallest radius per step
  double max_compression = 0.5;  ///< of a spring in a converged step, over the inscribed radius
  ConstraintOptions constraints;

  void declare(Declaration& d);
};

/// The keys under `solver:`: the method's, and the friction law of the run.
struct RunSolverOptions : SolverOptions {
  FrictionLaw friction = FrictionLaw::coulomb;
  std::int64_t directions = Friction().directions;  ///< where friction is `pyramid`
  std::int64_t halvings = 3;  ///< how often at most a step is cut where on_not_converged is `halve`

  /// The law with what belongs to it.
  Friction law() const { return {friction, static_cast<int>(directions)}; }
  void declare(Declaration& d);
};

/// The keys under `solver:` with that word before them: what `scree solve` takes from `--set`, and
/// what a written contact problem keeps.
struct SolveConfig {
  RunSolverOptions solver;

  void declare(Declaration& d);
};

/// The keys under `output:`.
struct OutputOptions : ObserverOptions {
  OutputOptions() : ObserverOptions(ObserverSection::output) {}
  /// Absolute when it comes from a file; empty: output/NAME where scree is started.
  std::filesystem::path directory;
  bool overwrite = false;

  void declare(Declaration& d);
};

/// The keys under `debug:`.
struct DebugOptions : ObserverOptions {
  DebugOptions() : ObserverOptions(ObserverSection::debug) {}
};

struct RunConfig {
  std::string name = "run";
  TimeOptions time;
  Dynamics dynamics = Dynamics::inertial;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  ///< m/s^2
  std::optional<FluidSpec> fluid;
  std::vector<ForceFieldSpec> forces;
  std::optional<BoxRegion> keep_inside;
  std::vector<RemovalBox> removal_boxes;
  PeriodicOptions periodic;
  std::vector<Material> materials;
  std::vector<FrictionPair> friction;
  std::vector<BodyGroup> bodies;
  std::vector<InsertionSpec> insertions;
  std::vector<GrowthSpec> growth;
  std::vector<ToolSpec> tools;
  std::vector<JointSpec> joints;
  std::vector<MotorSpec> motors;
  ContactOptions contact;
  ImpactLawOptions impact;
  RunSolverOptions solver;
  BalanceOptions balance;
  std::vector<StageSpec> stages;
  OutputOptions output;
  DebugOptions debug;
  /// The hulls of its polyhedra (app/config/config_hulls.hpp), filled in by the reading.
  std::shared_ptr<const ShapeLibrary> shapes = empty_library();

  void declare(Declaration& d);
  /// The medium that bodies move in, as the step takes it.
  Medium medium() const;
  /// Groups of bodies, then insertions.
  std::vector<const GrainKind*> grain_kinds() const;
  /// The names that Store::group of grains counts: the populations of all these.
  std::vector<std::string> population_names() const;
  /// Which populations grow by @p spec, as Store::group counts them.
  std::vector<std::int32_t> growing_populations(const GrowthSpec& spec) const;
  /// Makes formulas of the texts of motions and motors, and reads the files that motions name (the
  /// grains' are read where grains are made). Not collective. Do it after the effective
  /// configuration is written: it fills in what the files give.
  /// @throws InputError
  void load_files();
};

/// The configuration in @p text, the content of @p file, and those of its stages. Meshes of
/// polyhedra are read with it, by @p read_file. Not collective. @throws InputError with every
/// fault, one line each.
RunConfig read_run_config(std::string_view text, const std::filesystem::path& file,
                          const Overrides& overrides = {},
                          const ReadFile& read_file = {read_named_file});

/// Reads @p file, and the meshes that it names, on rank 0 and gives every rank its configuration.
/// Collective.
/// @throws InputError, on all ranks.
RunConfig load_run_config(MPI_Comm comm, const std::filesystem::path& file,
                          const Overrides& overrides = {});

}  // namespace scree
