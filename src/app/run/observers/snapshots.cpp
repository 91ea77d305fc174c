#include "snapshots.hpp"

#include "scree/config/declaration.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace {

template <class Named>
std::vector<std::string> names(const std::vector<Named>& list) {
  std::vector<std::string> result;
  for (const Named& item : list) result.push_back(item.name);
  return result;
}

std::vector<double> densities(const std::vector<Material>& materials) {
  std::vector<double> result;
  for (const Material& material : materials) result.push_back(material.density);
  return result;
}

std::vector<Vec3> forces(std::span<const Wrench> wrenches) {
  std::vector<Vec3> result;
  for (const Wrench& wrench : wrenches) result.push_back(wrench.force);
  return result;
}

}  // namespace

void SnapshotOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one snapshot to the next; 0: only at start and end",
          .unit = "s",
          .min = 0.0});
  d.flag("start", start, {.help = "write a snapshot before the first step"});
  d.flag("end", end, {.help = "write a snapshot after the last step"});
  d.words("arrays", content.arrays, kSnapshotArrays,
          {.help = "arrays of grains besides position, id and radius"});
  d.enumeration(
      "precision", content.precision,
      {.help =
           "numbers of grains but for positions, which are double; checkpoints are always exact"});
  d.flag(
      "deflate", content.deflate,
      {.help = "make files smaller; without it a large snapshot is written several times as fast"});
}

std::vector<SnapshotInfo> kept_snapshots(const RunFolder& folder, const RunPoint& point) {
  return kept_infos(folder.snapshot_files(), point, read_snapshot_info);
}

void cut_snapshots(const RunFolder& folder, const RunPoint& point, XdmfIndex& index) {
  cut_indexed(folder.snapshot_files(), kept_snapshots(folder, point), point, index);
  std::filesystem::remove(part_of(folder.xdmf()));
}

void Snapshots::declare(Declaration& d, Options& options) {
  d.object("snapshots", options, {.help = "snapshots of all bodies, which ParaView opens"});
}

void Snapshots::add_files(const RunFolder& folder, RunFiles& files) {
  files.of_steps.push_back(folder.snapshot_files());
  files.single.push_back(folder.xdmf());
  files.folders_at_start.push_back(folder.snapshots());
}

void Snapshots::check_files(const RunFolder& folder, const RunConfig& /*config*/,
                            const RunPoint& point) {
  static_cast<void>(kept_snapshots(folder, point));
}

Snapshots::Snapshots(const ObservedRun& run)
    : Observer(run),
      options_(run.config().output.of<SnapshotOptions>()),
      schedule_(options_.every, run.end_of_last_step(), run.config().time.dt),
      index_(run.folder.xdmf()) {}

void Snapshots::start() {
  if (options_.start) write({});
}

void Snapshots::go_on() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) cut_snapshots(run_.folder, run_.point(), index_);
  });
}

void Snapshots::after_step(const ObservedStep& step) {
  const bool due = schedule_.due(step.result.clock.end, run_.config().time.dt);
  if (due || (step.last && options_.end)) write(step.result.wrenches);
}

void Snapshots::write(std::span<const Wrench> wrenches) {
  const Simulation& simulation = run_.simulation;
  const RunConfig& config = run_.config();
  const SnapshotInfo info = write_snapshot(
      run_.comm(), run_.folder.snapshot_files().of(simulation.n_steps()), simulation.store(),
      {.time = simulation.time(),
       .step = simulation.n_steps(),
       .dt = config.time.dt,
       .configuration = run_.run_yaml,
       .materials = names(config.materials),
       .densities = densities(config.materials),
       .groups = config.population_names(),
       .tools = names(config.tools),
       .tool_forces = forces(wrenches),
       .cell = config.periodic.cell(),
       .content = options_.content});
  together(run_.comm(), [&] {
    if (run_.is_speaker()) index_.add(info);
  });
}

}  // namespace scree
