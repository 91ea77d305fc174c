#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/bodies/inertia.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace {

/// Grains that are held in all directions are walls: no force moves them.
bool is_wall(const Store& store, std::int32_t slot) {
  return is_held(store, slot, 0) && is_held(store, slot, 1) && is_held(store, slot, 2);
}

/// Those of this rank, as they are after the step.
std::vector<GrainState> grains_of(const Store& store) {
  std::vector<GrainState> grains;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (is_wall(store, slot)) continue;
    grains.push_back({.position = store.position[slot],
                      .velocity = store.velocity[slot],
                      .mass = store.mass[slot],
                      .volume = volume(store.shape[slot], *store.shapes)});
  }
  return grains;
}

/// Adds the part of a force on one of its grains, whose other body moves or is a wall.
void add_force(FieldSums& sums, const GrainForce& force, bool other_moves, double dt) {
  sums.add(force, dt);
  if (!other_moves) sums.add_wall(force, dt);
}

/// Whether a mean that a run begins anew at @p time is cut off there.
bool begins_amid(const FieldOptions& options, double time, double dt) {
  if (!options.wants(time - dt, time) || !options.wants(time, time + dt)) return false;
  return options.every == 0.0 || std::abs(std::remainder(time, options.every)) > 0.5 * dt;
}

std::int64_t n_cells_of(const std::vector<FieldOptions>& fields) {
  std::int64_t n = 0;
  for (const FieldOptions& one : fields) n += one.grid.n_cells();
  return n;
}

/// Means in which no step may count.
void require_means(Declaration& d, const RunConfig& config) {
  for (const FieldOptions& one : config.output.of<FieldsOptions>().grids) {
    const double least = static_cast<double>(one.stride) * config.time.dt * (1.0 - 1e-9);
    d.require(
        "output", one.every == 0.0 || one.every >= least,
        fmt::format("has fields, {}, every {} s: no step of a mean may count; allowed: stride "
                    "times time.dt, {} s, or more",
                    one.name, one.every, static_cast<double>(one.stride) * config.time.dt));
  }
}

/// The names of fields of which there is an index in @p folder: other files may stand beside those
/// of a run.
std::vector<std::string> indexed_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code too_long;  // which is told of where the length of the run's path is looked at
  if (!std::filesystem::is_directory(folder, too_long)) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".xdmf" && can_name_fields(name)) names.push_back(name);
  }
  return names;
}

}  // namespace

FieldFiles::FieldFiles(const RunFolder& folder, const std::string& name)
    : images{folder.root() / "fields", name, "hdf"},
      index(images.folder / (name + ".xdmf")),
      table(images.folder / (name + ".csv")) {}

std::vector<FieldImageInfo> kept_field_images(const FieldFiles& files, const RunPoint& point) {
  return kept_infos(files.images, point, read_field_image_info);
}

void Fields::declare(Declaration& d, Options& options) {
  d.named(
      "fields", options.grids,
      {.help = "coarse-grained fields by name: density, velocity, stress on a grid, averaged in "
               "time"});
  d.require("fields", n_cells_of(options.grids) <= FieldGridOptions::kMostCells,
            fmt::format("have {} cells together; allowed: at most {}, which each rank keeps",
                        n_cells_of(options.grids), FieldGridOptions::kMostCells));
}

void Fields::require(Declaration& d, const RunConfig& config) {
  require_means(d, config);
  const PeriodicCell cell = config.periodic.cell();
  for (const FieldOptions& one : config.output.of<FieldsOptions>().grids) {
    const Vec3 length = one.grid.upper - one.grid.lower;
    for (int axis = 0; axis < 3; ++axis) {
      const double most = cell.period[axis] * (1.0 + 1e-12);
      d.require("output", !cell.repeats(axis) || length[axis] <= most,
                fmt::format("has fields, {}, whose grid is longer than the periodic cell; allowed: "
                            "at most {} m along {}",
                            one.name, cell.period[axis], "xyz"[axis]));
    }
  }
}

void Fields::add_files(const RunFolder& folder, RunFiles& files) {
  constexpr std::int64_t kLate = 999'999'999'999;
  const FieldFiles longest(folder, std::string(kLongestFieldName, 'n'));
  files.long_names.push_back(longest.images.of(kLate, kLate, kLate));
  files.folders_later.push_back(longest.images.folder);
  for (const std::string& name : indexed_names(longest.images.folder)) {
    const FieldFiles one(folder, name);
    files.of_steps.push_back(one.images);
    files.single.push_back(one.table);
    files.single.push_back(one.index);
  }
}

void Fields::check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point) {
  for (const FieldOptions& options : config.output.of<FieldsOptions>().grids) {
    const FieldFiles files(folder, options.name);
    static_cast<void>(kept_field_images(files, point));
    static_cast<void>(kept_of_table(files.table, field_table_header(), point));
  }
}

Fields::Fields(const ObservedRun& run) : Observer(run) {
  const RunConfig& config = run.config();
  for (const FieldOptions& options : config.output.of<FieldsOptions>().grids) {
    const FieldFiles files(run.folder, options.name);
    means_.push_back({.options = options,
                      .files = files,
                      .sums = {grid_of(options.grid, config.periodic.cell()), options.width},
                      .schedule = {options.every, run.end_of_last_step(), config.time.dt},
                      .index = XdmfIndex(files.index, "means"),
                      .table = {}});
  }
}

/// @pre on the rank that speaks
void Fields::open(bool append) {
  if (means_.empty()) return;
  std::filesystem::create_directories(means_.front().files.images.folder);
  for (RunningMean& mean : means_) {
    if (!mean.options.csv) continue;
    mean.table = LineFile(mean.files.table, append);
    if (std::filesystem::file_size(mean.files.table) == 0) mean.table.write(field_table_header());
  }
}

void Fields::start() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) open(false);
  });
}

void Fields::go_on() {
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    const RunPoint point = run_.point();
    for (RunningMean& mean : means_) {
      const FieldOptions& options = mean.options;
      const FieldFiles& files = mean.files;
      cut_indexed(files.images, kept_field_images(files, point), point, mean.index);
      cut_table(files.table, field_table_header(), point);
      if (!begins_amid(options, point.time, run_.config().time.dt)) continue;
      run_.progress.message(
          fmt::format("output.fields.{}: a mean begins at {} s, where the run goes on",
                      options.name, point.time));
    }
    open(true);
  });
}

void Fields::after_part(const ObservedStep& part) {
  const StepClock& clock = part.result.clock;
  last_ = clock;
  std::vector<RunningMean*> wanting;
  for (RunningMean& mean : means_) {
    if (clock.step % mean.options.stride == 0 && mean.options.wants(clock.time, clock.end)) {
      wanting.push_back(&mean);
    }
  }
  if (!wanting.empty()) {
    const std::vector<GrainState> grains = grains_of(run_.simulation.store());
    const std::vector<ContactForce> contacts = contact_forces(part.result);
    for (RunningMean* mean : wanting) add(*mean, grains, contacts, clock);
  }
  if (!part.stop || clock.ends_step()) return;
  for (RunningMean& mean : means_) write(mean, clock);
}

void Fields::after_step(const ObservedStep& step) {
  for (RunningMean& mean : means_) {
    if (is_due(mean, step)) write(mean, step.result.clock);
  }
}

void Fields::after_giving_up(double /*elapsed*/) {
  if (!last_) return;
  for (RunningMean& mean : means_) write(mean, *last_);
}

bool Fields::is_due(RunningMean& mean, const ObservedStep& step) {
  const double dt = run_.config().time.dt;
  const double end = step.result.clock.end;
  const bool by_time = mean.schedule.due(end, dt);
  const bool is_past = !mean.options.wants(end, end + dt) && mean.samples > 0;
  return by_time || is_past || step.last || step.stop;
}

void Fields::add(RunningMean& mean, const std::vector<GrainState>& grains,
                 const std::vector<ContactForce>& contacts, const StepClock& clock) {
  if (mean.samples == 0) mean.from = clock.time;
  ++mean.samples;
  mean.seconds += clock.dt;
  for (const GrainState& grain : grains) mean.sums.add(grain, clock.dt);
  for (const ContactForce& one : contacts) {
    if (one.force.isZero(0.0)) continue;
    if (one.moves_a) {
      add_force(mean.sums, {one.force, one.point, one.centre_a}, one.moves_b, clock.dt);
    }
    if (one.moves_b) {
      add_force(mean.sums, {-one.force, one.point, one.centre_b}, one.moves_a, clock.dt);
    }
  }
}

/// Collective. Does nothing where no step counted.
void Fields::write(RunningMean& mean, const StepClock& clock) {
  if (mean.samples == 0) return;
  const FieldImage image = image_of(mean, sums_over_ranks(run_.comm(), mean.sums), clock);
  const StepFileNames& images = mean.files.images;
  const std::filesystem::path path =
      clock.ends_step() ? images.of(clock.step)
                        : images.of(clock.step, clock.part(), clock.parts_of_step());
  const FieldImageInfo info = write_field_image(run_.comm(), path, image, run_.run_yaml);
  together(run_.comm(), [&] {
    if (!run_.is_speaker()) return;
    mean.index.add(info);
    if (mean.table.is_open()) mean.table.write(field_table_rows(image));
  });
  mean.sums.clear();
  mean.seconds = 0.0;
  mean.samples = 0;
}

FieldImage Fields::image_of(const RunningMean& mean, const SumsOfCells& sums,
                            const StepClock& clock) const {
  return {.grid = mean.sums.grid(),
          .width = mean.options.width,
          .from = mean.from,
          .time = clock.end,
          .step = clock.step,
          .samples = mean.samples,
          .seconds = mean.seconds,
          .first = sums.first,
          .fields = mean_fields(sums.numbers, mean.sums.grid(), mean.seconds)};
}

void Fields::to_disk() {
  together(run_.comm(), [this] {
    for (RunningMean& mean : means_) mean.table.flush_to_disk();
  });
}

}  // namespace scree
