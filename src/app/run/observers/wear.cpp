#include "wear.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/sum_on_rank.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "slips.hpp"

namespace scree {
namespace {

/// Impulse of the grains on a triangle, mesh's frame, N s; its part against the normal; work, J.
constexpr std::size_t kSums = 5;

StepFileNames wear_names(const RunFolder& folder, const std::string& tool) {
  return {folder.root() / "wear", tool, "hdf"};
}

std::filesystem::path wear_index(const RunFolder& folder, const std::string& tool) {
  return folder.root() / "wear" / (tool + ".xdmf");
}

std::vector<WearFileInfo> kept_wear(const StepFileNames& names, const RunPoint& point) {
  return kept_infos(names, point, read_wear_info);
}

double area_of(const PackedMesh& mesh, const std::array<std::int32_t, 3>& triangle) {
  const auto& [i, j, k] = triangle;
  const Vec3 a = mesh.vertices[j] - mesh.vertices[i];
  const Vec3 b = mesh.vertices[k] - mesh.vertices[i];
  return 0.5 * a.cross(b).norm();
}

/// Adds the numbers of a contact to those of a triangle.
void add_to(double* sums, const Vec3& impulse, double against_normal, double work) {
  Eigen::Map<Vec3>(sums) += impulse;
  sums[3] += against_normal;
  sums[4] += work;
}

}  // namespace

void WearOptions::declare(Declaration& d) {
  d.names_of("tools", "tools", tools, {.help = "the tools, which are meshes; none: no files"});
  d.real("every", every,
         {.help = "simulated time from one file to the next, over which its means are; 0: one at "
                  "the end",
          .unit = "s",
          .min = 0.0});
}

void Wear::declare(Declaration& d, Options& options) {
  d.object("wear", options,
           {.help = "force, pressure and the work of sliding on each triangle of tools that are "
                    "meshes, which ParaView opens"});
}

void Wear::require(Declaration& d, const RunConfig& config) {
  for (const std::string& name : config.output.of<WearOptions>().tools) {
    const auto tool = std::ranges::find(config.tools, name, &ToolSpec::name);
    if (tool == config.tools.end()) continue;  // which the name's own check tells
    const Shape shape = as_shape(tool->shape);
    d.require("output", shape.is<Mesh>(),
              fmt::format("has wear of {}, a {}, which has no triangles; allowed: tools of `type: "
                          "mesh`",
                          name, type_of(shape)));
  }
}

void Wear::add_files(const RunFolder& folder, RunFiles& files) {
  const std::filesystem::path own = folder.root() / "wear";
  files.folders_later.push_back(own);
  std::error_code too_long;  // which is told of where the length of the run's path is looked at
  if (!std::filesystem::is_directory(own, too_long)) return;
  for (const auto& entry : std::filesystem::directory_iterator(own)) {
    if (entry.path().extension() != ".xdmf") continue;
    files.single.push_back(entry.path());
    files.of_steps.push_back(wear_names(folder, entry.path().stem().string()));
  }
}

void Wear::check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point) {
  for (const std::string& name : config.output.of<WearOptions>().tools) {
    static_cast<void>(kept_wear(wear_names(folder, name), point));
  }
}

Wear::Wear(const ObservedRun& run)
    : Observer(run),
      options_(run.config().output.of<WearOptions>()),
      schedule_(options_.every, run.end_of_last_step(), run.config().time.dt),
      from_(run.simulation.time()) {
  const Store& store = run.simulation.store();
  for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
    const std::string& name = run.config().tools[store.group[slot]].name;
    if (std::ranges::find(options_.tools, name) == options_.tools.end()) continue;
    const auto& surface = store.shapes->meshes()[store.shape[slot].get<Mesh>().handle];
    const std::size_t n = surface->mesh.facets.size();
    worn_.push_back({.slot = slot,
                     .surface = surface,
                     .names = wear_names(run.folder, name),
                     .index = XdmfIndex(wear_index(run.folder, name), "wear"),
                     .sums = std::vector<double>(kSums * n),
                     .work = std::vector<double>(run.is_speaker() ? n : 0)});
  }
}

void Wear::start() {
  together(run_.comm(), [this] {
    if (run_.is_speaker() && !worn_.empty()) {
      std::filesystem::create_directories(worn_.front().names.folder);
    }
  });
}

void Wear::go_on() {
  start();
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    for (Worn& worn : worn_) {
      const std::vector<WearFileInfo> kept = kept_wear(worn.names, run_.point());
      cut_indexed(worn.names, kept, run_.point(), worn.index);
      const double until = kept.empty() ? 0.0 : kept.back().time;
      if (!kept.empty()) {
        std::vector<double> work = read_sliding_work(kept.back().path);
        if (work.size() == worn.work.size()) worn.work = std::move(work);
      }
      if (until < from_ - 0.5 * run_.config().time.dt) {
        run_.progress.message(fmt::format(
            "output.wear: what slid on {} from {} s, of its last file, to {} s is not counted",
            worn.names.prefix, until, from_));
      }
    }
  });
}

void Wear::after_part(const ObservedStep& part) {
  last_ = part.result.clock;
  if (worn_.empty()) return;
  seconds_ += part.result.clock.dt;
  const std::vector<Slip> slips = slips_of(part.result);
  const std::vector<ContactForce> forces = contact_forces(part.result);
  for (Worn& worn : worn_) add(part.result, forces, slips, worn);
  if (part.stop && !part.result.clock.ends_step()) write(part.result.clock);
}

void Wear::after_step(const ObservedStep& step) {
  const bool due = schedule_.due(step.result.clock.end, run_.config().time.dt);
  if (due || step.last || step.stop) write(step.result.clock);
}

void Wear::after_giving_up(double /*elapsed*/) {
  if (last_) write(*last_);
}

/// Contacts are where the step began: the tool is turned back to that.
void Wear::add(const StepResult& result, const std::vector<ContactForce>& forces,
               const std::vector<Slip>& slips, Worn& worn) const {
  const Store& store = run_.simulation.store();
  const PackedMesh& mesh = worn.surface->mesh;
  const Pose before = moved(pose_of(store, worn.slot), -store.velocity[worn.slot],
                            -store.angular_velocity[worn.slot], result.clock.dt);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const Contact& contact = result.contacts[i];
    if (contact.b != worn.slot || forces[i].force.isZero(0.0)) continue;
    const Vec3 point = before.orientation.conjugate() * contact.arm_b;
    const std::int32_t facet = worn.surface->tree.nearest(point).facet;
    const Vec3 impulse = before.orientation.conjugate() * (-result.clock.dt * forces[i].force);
    const auto t = static_cast<std::size_t>(mesh.number[facet]);
    add_to(&worn.sums[kSums * t], impulse, std::abs(mesh.facets[facet].normal.dot(impulse)),
           slips[i].work);
  }
}

/// Collective. Does nothing where no step counted.
void Wear::write(const StepClock& clock) {
  if (seconds_ == 0.0) return;
  for (Worn& worn : worn_) {
    std::vector<double> sums(run_.is_speaker() ? worn.sums.size() : 0);
    sum_on_rank(run_.comm(), 0, worn.sums, sums);
    together(run_.comm(), [&] {
      if (!run_.is_speaker()) return;
      const WearMap map = map_of(worn, sums, clock);
      const std::filesystem::path path =
          clock.ends_step() ? worn.names.of(clock.step)
                            : worn.names.of(clock.step, clock.part(), clock.parts_of_step());
      worn.index.add(write_wear(path, map));
      worn.work = map.sliding_work;
    });
    std::ranges::fill(worn.sums, 0.0);
  }
  seconds_ = 0.0;
  from_ = clock.end;
}

WearMap Wear::map_of(const Worn& worn, const std::vector<double>& sums,
                     const StepClock& clock) const {
  const Pose pose = pose_of(run_.simulation.store(), worn.slot);
  const PackedMesh& mesh = worn.surface->mesh;
  WearMap map;
  map.from = from_;
  map.time = clock.end;
  map.step = clock.step;
  map.seconds = seconds_;
  for (const Vec3& vertex : mesh.vertices) map.points.push_back(pose.to_world(vertex));
  map.triangles = mesh.triangles();
  for (std::size_t t = 0; t < map.triangles.size(); ++t) {
    const double* sum = &sums[kSums * t];
    const double area = area_of(mesh, map.triangles[t]);
    const Vec3 force = pose.orientation * Vec3(sum) / seconds_;
    map.force.insert(map.force.end(), force.begin(), force.end());
    map.pressure.push_back(sum[3] / (seconds_ * area));
    map.sliding_power.push_back(sum[4] / (seconds_ * area));
    map.sliding_work.push_back(worn.work[t] + sum[4] / area);
  }
  return map;
}

}  // namespace scree
