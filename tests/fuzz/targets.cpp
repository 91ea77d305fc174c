#include "targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>

#include "geometry/meshes/mesh_file.hpp"
#include "scree/app/config/run_config.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"
#include "scree/geometry/hulls/hull.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/meshes/triangle_mesh.hpp"
#include "scree/io/describe.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/paraview/snapshot_grains.hpp"
#include "scree/io/run_folder/cut_back.hpp"
#include "scree/io/run_folder/seal.hpp"
#include "scree/io/state/checkpoint.hpp"
#include "scree/io/state/grain_file.hpp"
#include "scree/io/state/shape_tables.hpp"
#include "scree/solver/driver.hpp"
#include "scree/sources/generators.hpp"
#include "scree/tools/motion.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

void require(bool holds, std::string_view what) {
  if (!holds) throw std::logic_error(std::string(what));
}

/// A text that is accepted is written so that it reads back as it was.
void read_configuration(const fs::path& file) {
  const RunConfig config = read_run_config(read_text_file(file), file, {}, {read_named_file});
  const std::string text = emit_yaml(config);
  const RunConfig again = read_run_config(text, file, {}, {read_named_file});
  require(emit_yaml(again) == text, "the effective configuration does not read back as it was");
}

/// A group of stones at @p place.
BodyGroup group_at(const Places& place) {
  BodyGroup group;
  group.name = "stones";
  group.material = "stone";
  group.place = place;
  return group;
}

void require_bodies(const std::vector<BodyGroup>& groups, const ShapeLibrary& shapes) {
  const std::vector<Material> materials{{"stone", 2600.0}};
  for (const Body& body : generate(groups, materials, {}, shapes)) {
    require(body.position.allFinite() && body.velocity.allFinite(), "a grain is nowhere");
  }
}

void read_grains_of_csv(const fs::path& file) {
  CsvPlaces place;
  place.file = file;
  require_bodies({group_at(place)}, {});
}

void read_grains_of_hdf5(const fs::path& file) {
  Hdf5Places place;
  place.file = file;
  std::vector<BodyGroup> groups{group_at(place)};
  ShapeLibrary shapes;
  load_grain_files(MPI_COMM_SELF, groups, shapes);
  require_bodies(groups, shapes);
}

void read_motion(const fs::path& file) {
  TableMotion motion;
  motion.file = file;
  motion.load();
  const double end = motion.times.back();
  for (const double t : {-1.0, 0.0, 0.5 * motion.times.front() + 0.5 * end, end, 2.0 * end}) {
    if (std::isfinite(t))
      require(motion.pose_at(t, {}).position.allFinite(), "the tool is nowhere");
  }
}

void read_table(const fs::path& file) {
  const KeptTable kept =
      kept_of_table(file, "time,step,dt,tool,force_x,contacts", {.steps = 5, .time = 0.005});
  require(kept.bytes <= fs::file_size(file), "more is kept than there is");
  require(std::ranges::is_sorted(kept.steps), "the rows are not in order");
  static_cast<void>(missing_rows(kept, {.steps = 5, .every = 1, .rows = 2}));
}

void read_polyhedron(const fs::path& file) {
  const MeshFile mesh = read_mesh(file, read_named_file(file));
  const Hull hull = hull_of(mesh.points, "mesh");
  require(std::isfinite(hull.volume) && hull.volume > 0.0, "a polyhedron has no volume");
}

void read_surface(const fs::path& file) {
  const MeshFile read = read_mesh(file, read_named_file(file));
  for (const auto& triangle : read.triangles) {
    for (const std::int32_t i : triangle) {
      require(i >= 0 && i < std::ssize(read.points), "a triangle has a corner that is no point");
    }
  }
  const TriangleMesh mesh = triangle_mesh(read, 1.0, "mesh");
  const bool is_finite = std::ranges::all_of(
      mesh.normals, [](const Vec3& n) { return std::abs(n.norm() - 1.0) < 1e-6; });
  require(is_finite && std::isfinite(mesh.area) && mesh.inertia_per_mass.allFinite() &&
              mesh.in_file.position.allFinite(),
          "a surface has no area");
  static_cast<void>(warnings(mesh));
}

void describe(const fs::path& file) {
  static_cast<void>(describe_hdf5(file));
}

void read_snapshot(const fs::path& file) {
  static_cast<void>(read_snapshot_info(file));
  static_cast<void>(read_snapshot_grains(file));
}

/// Whole ones are known by their seal; what stands behind it must bear any change, too.
void read_any_checkpoint(const fs::path& file) {
  const std::string fault = fault_of_seal(MPI_COMM_SELF, file);
  const CheckpointContent content = read_checkpoint(MPI_COMM_SELF, file);
  static_cast<void>(library_of(content.groups));
  if (!fault.empty()) throw InputError(fault);
}

/// A problem that is said to be solved is solved by numbers.
void solve(const fs::path& file) {
  const ContactProblem problem = read_fclib(MPI_COMM_SELF, file, FrictionLaw::coulomb);
  SolverOptions options;
  options.on_not_converged = NotConverged::warn;
  options.stop.max_iterations = 20;
  options.stop.max_seconds = 1.0;
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  if (report.status != Status::converged) return;
  const petsc::ConstView impulses(lambda.get());
  for (const double value : impulses.span()) require(std::isfinite(value), "an impulse is none");
  require(report.measures.residual <= options.stop.tolerance, "what is solved has a residual");
}

constexpr std::array kTargets{
    Target{"yaml", ".yaml", read_configuration},
    Target{"csv", ".csv", read_grains_of_csv},
    Target{"motion", ".csv", read_motion},
    Target{"table", ".csv", read_table},
    Target{"mesh", ".stl", read_polyhedron},
    Target{"stl", ".stl", read_surface},
    Target{"off", ".off", read_surface},
    Target{"obj", ".obj", read_surface},
    Target{"ply", ".ply", read_surface},
    Target{"info", ".h5", describe},
    Target{"fclib", ".hdf5", solve},
    Target{"snapshot", ".hdf", read_snapshot},
    Target{"grains", ".hdf", read_grains_of_hdf5},
    Target{"checkpoint", ".h5", read_any_checkpoint},
};

}  // namespace

std::span<const Target> targets() {
  return kTargets;
}

}  // namespace scree::fuzz
