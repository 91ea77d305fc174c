#include "scree/io/state/grain_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "io/paraview/field_arrays.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "scree/config/suggest.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/state/shape_tables.hpp"
#include "scree/sources/counter_random.hpp"
#include "scree/sources/generators.hpp"

namespace scree {
namespace {

/// One file, this rank's rows of it.
class GrainFile {
 public:
  /// Collective, as are all functions.
  GrainFile(MPI_Comm comm, const std::filesystem::path& path)
      : comm_(comm), path_(path), file_(h5::open_file(comm, path)) {
    snapshot_ = h5::is_dataset(file_.get(), "VTKHDF/Points");
    for (const char* name : {"position", "radius"}) {
      if (has(name)) continue;
      throw InputError(
          fmt::format("{}: has no dataset {}; allowed: a snapshot of scree, or a file with the "
                      "datasets position "
                      "and radius",
                      path_.string(), place_of(name)));
    }
    refuse_without_shapes();
    total_ = rows_of("radius");
    const Share share{rank_of(comm), size_of(comm)};
    first_ = share.begin(total_);
    rows_ = share.end(total_) - first_;
  }

  bool has(const std::string& name) const { return h5::is_dataset(file_.get(), place_of(name)); }
  std::int64_t first() const { return first_; }
  std::int64_t rows() const { return rows_; }

  template <class T>
  std::vector<T> read(const std::string& name, int width = 1) const {
    if (rows_of(name) != total_) {
      throw InputError(fmt::format("{}: the dataset {} has {} rows and {} has {}", path_.string(),
                                   place_of(name), rows_of(name), place_of("radius"), total_));
    }
    std::vector<T> values;
    std::string fault;  // a damaged piece may be in one rank's rows alone
    try {
      values = h5::reading(path_, [&] {
        return h5::read_rows<T>(file_.get(), place_of(name), first_, rows_, width);
      });
    } catch (const InputError& error) {
      fault = error.what();
    }
    refuse_together(comm_, fault);
    return values;
  }

  std::vector<Vec3> vectors(const std::string& name) const {
    const std::vector<double> numbers = read<double>(name, 3);
    std::vector<Vec3> values;
    for (std::size_t i = 0; i < numbers.size(); i += 3) values.emplace_back(&numbers[i]);
    return values;
  }

  /// The names that the numbers of the dataset @p name stand for.
  std::vector<std::string> names(const std::string& name) const {
    std::vector<std::string> names;
    if (!has(name)) return names;
    const h5::Dataset dataset(
        SCREE_HDF5(H5Dopen2(file_.get(), place_of(name).c_str(), H5P_DEFAULT)));
    std::istringstream list(h5::read_text_attribute(dataset.get(), "names"));
    for (std::string one; std::getline(list, one, ',');) names.push_back(one);
    return names;
  }

  /// The hulls and clumps that the numbers of the datasets `hull` and `clump` stand for.
  ShapeLibrary shapes() const { return library_of(read_shape_tables(comm_, file_.get())); }

  /// A snapshot that leaves out orientations would lay all grains that are no balls along the axes.
  /// Files of other programs may. @p bodies are those of the wanted population.
  void refuse_without_orientation(const std::vector<Body>& bodies) const {
    const bool needed =
        std::ranges::any_of(bodies, [](const Body& body) { return !body.shape.is<Sphere>(); });
    const bool lacks = needed && snapshot_ && !has("orientation");
    refuse_together(comm_, lacks ? fault_of_array("orientation") : std::string());
  }

  /// For each row whether it is of @p population; all of none.
  std::vector<bool> chosen(const std::string& population) const {
    std::vector<bool> chosen(rows_, true);
    if (population.empty()) return chosen;
    const std::int32_t wanted = index_of(population);
    const auto groups = read<std::int32_t>("group");
    for (std::size_t i = 0; i < groups.size(); ++i) chosen[i] = groups[i] == wanted;
    return chosen;
  }

 private:
  /// A snapshot that leaves out what shapes are told by would turn all grains into balls.
  void refuse_without_shapes() const {
    for (const char* name : {"shape", "semi_axes"}) {
      if (!snapshot_ || has(name)) continue;
      throw InputError(fault_of_array(name));
    }
  }

  std::string fault_of_array(std::string_view name) const {
    return fmt::format(
        "{}: has no array {}: the run that wrote it must name it in output.snapshots.arrays",
        path_.string(), name);
  }

  std::int64_t rows_of(const std::string& name) const {
    const std::vector<std::int64_t> extents = h5::extents(file_.get(), place_of(name));
    return extents.empty() ? 0 : extents[0];
  }

  std::string place_of(const std::string& name) const {
    if (!snapshot_) return name;
    return name == "position" ? "VTKHDF/Points" : "VTKHDF/PointData/" + name;
  }

  std::int32_t index_of(const std::string& population) const {
    const std::vector<std::string> groups = names("group");
    const auto found = std::find(groups.begin(), groups.end(), population);
    if (found != groups.end()) return static_cast<std::int32_t>(found - groups.begin());
    const std::vector<std::string_view> known(groups.begin(), groups.end());
    throw InputError(fmt::format("{}: population \"{}\" is unknown; {}", path_.string(), population,
                                 suggestion_and_list(population, known)));
  }

  MPI_Comm comm_;
  std::filesystem::path path_;
  h5::File file_;
  bool snapshot_ = false;
  std::int64_t total_ = 0;
  std::int64_t first_ = 0;
  std::int64_t rows_ = 0;
};

/// Whether @p file gives shapes; all grains are balls where it does not.
bool has_shapes(const GrainFile& file) {
  return file.has("shape") && file.has("semi_axes") && !file.names("shape").empty();
}

/// The shapes of the rows of a file whose geometry is in its tables: polyhedra and clumps.
class SharedShapes {
 public:
  /// Adds those of the file to @p shapes. Collective.
  SharedShapes(const GrainFile& file, ShapeLibrary& shapes) {
    const ShapeLibrary of_file = file.shapes();
    for (std::int32_t k = 0; k < of_file.size(); ++k) {
      hulls_.handles.push_back(shapes.add(of_file.hull(k)));
    }
    for (const auto& clump : of_file.clumps()) {
      clumps_.handles.push_back(shapes.add(*clump, of_file));
    }
    if (!file.has("scale")) return;
    scale_ = file.read<double>("scale");
    hulls_.read(file, "hull");
    clumps_.read(file, "clump");
  }

  /// That of row @p i, of the type @p name; none where the file does not tell it.
  std::optional<Shape> of_row(std::string_view name, std::size_t i) const {
    const std::int32_t handle =
        name == Polyhedron::kType ? hulls_.handle_of(i) : clumps_.handle_of(i);
    if (handle < 0 || !(scale_[i] > 0.0) || !std::isfinite(scale_[i])) return std::nullopt;
    if (name == Polyhedron::kType) return Polyhedron{handle, scale_[i]};
    return Clump{handle, scale_[i]};
  }

 private:
  struct Column {
    std::vector<std::int32_t> handles;  ///< in the run's library, of each of the file's
    std::vector<std::int32_t> values;   ///< number in the file of each row; -1: none

    void read(const GrainFile& file, const char* name) {
      if (file.has(name)) values = file.read<std::int32_t>(name);
    }
    std::int32_t handle_of(std::size_t i) const {
      if (i >= values.size() || values[i] < 0) return -1;
      const auto k = static_cast<std::size_t>(values[i]);
      return k < handles.size() ? handles[k] : -1;
    }
  };

  Column hulls_;
  Column clumps_;
  std::vector<double> scale_;
};

/// A row whose shape cannot be gets a ball whose radius is no number, which is refused where it is
/// chosen.
void read_shapes(const GrainFile& file, std::vector<Body>& bodies, ShapeLibrary& shapes) {
  const std::vector<double> radius = file.read<double>("radius");
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].shape = Sphere{radius[i]};
  if (!has_shapes(file)) return;
  const std::vector<std::string> names = file.names("shape");
  const std::vector<std::int32_t> type = file.read<std::int32_t>("shape");
  const std::vector<Vec3> semi_axes = file.vectors("semi_axes");
  const SharedShapes shared(file, shapes);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t k = type[i];
    const std::string name = k < names.size() ? names[k] : std::string();
    const bool is_shared = name == Polyhedron::kType || name == Clump::kType;
    const auto shape = is_shared ? shared.of_row(name, i) : shape_of(name, semi_axes[i], radius[i]);
    bodies[i].shape = shape.value_or(Sphere{std::nan("")});
  }
}

/// This rank's rows of @p file that are wanted, with the group's velocities where the file has
/// none.
std::vector<Body> read_bodies(const GrainFile& file, const BodyGroup& group,
                              const std::string& population, ShapeLibrary& shapes) {
  Body standard;
  standard.velocity = group.velocity;
  standard.angular_velocity = group.angular_velocity;
  std::vector<Body> bodies(file.rows(), standard);
  const auto fill = [&](const auto& values, auto&& set) {
    for (std::size_t i = 0; i < values.size(); ++i) set(bodies[i], values[i]);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].id = file.first() + static_cast<std::int64_t>(i);
  }
  fill(file.vectors("position"), [](Body& b, const Vec3& v) { b.position = v; });
  read_shapes(file, bodies, shapes);
  if (file.has("id")) {
    fill(file.read<std::int64_t>("id"), [](Body& b, std::int64_t id) { b.id = id; });
  }
  if (file.has("velocity")) {
    fill(file.vectors("velocity"), [](Body& b, const Vec3& v) { b.velocity = v; });
  }
  if (file.has("angular_velocity")) {
    fill(file.vectors("angular_velocity"), [](Body& b, const Vec3& v) { b.angular_velocity = v; });
  }
  if (file.has("orientation")) {
    const std::vector<double> q = file.read<double>("orientation", 4);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].orientation = Quat(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    }
  }
  const std::vector<bool> chosen = file.chosen(population);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (chosen[i]) bodies[kept++] = bodies[i];
  }
  bodies.resize(kept);
  file.refuse_without_orientation(bodies);
  return bodies;
}

/// The fault of one of the bodies; empty when there is none.
std::string fault_of(const std::vector<Body>& bodies, const ShapeLibrary& shapes) {
  for (const Body& body : bodies) {
    const double radius = equal_volume_radius(body.shape, shapes);
    if (std::isnan(radius)) {
      return fmt::format(
          "grain {}: radius and semi_axes do not determine its shape; allowed: sphere, ellipsoid, "
          "capsule, box, ring, cylinder, cone, with semi-axes above 0 and below 1:1000, and "
          "polyhedron and clump, with the tables of a snapshot",
          body.id);
    }
    if (!(radius > 0.0) || !std::isfinite(radius)) {
      return fmt::format("grain {}: {} is no radius; it must be above 0", body.id, radius);
    }
    if (body.id < 0) return fmt::format("id {} is below 0", body.id);
    if (body.id >= kFirstToolId) return fmt::format("id {} is too large", body.id);
    if (!body.position.allFinite() || !body.velocity.allFinite() ||
        !body.angular_velocity.allFinite() || !body.orientation.coeffs().allFinite()) {
      return fmt::format("grain {}: its position or motion is not finite", body.id);
    }
    if (body.orientation.norm() < 0.5) return fmt::format("grain {}: has no orientation", body.id);
  }
  return {};
}

/// An id that stands twice, found by the rank in whose share of all ids it is; empty when none of
/// this rank's does. Collective.
std::string fault_of_ids(MPI_Comm comm, const std::vector<Body>& bodies) {
  const auto ranks = static_cast<std::uint64_t>(size_of(comm));
  RankBytes outgoing;
  for (const Body& body : bodies) {
    const auto rank = static_cast<int>(mixed(static_cast<std::uint64_t>(body.id)) % ranks);
    append_record(outgoing[rank], body.id);
  }
  std::vector<std::int64_t> ids;
  for (const auto& [rank, bytes] : sparse_exchange(comm, outgoing)) {
    read_records(bytes, ids);
  }
  std::sort(ids.begin(), ids.end());
  const auto twin = std::adjacent_find(ids.begin(), ids.end());
  return twin == ids.end() ? std::string() : fmt::format("id {} stands twice", *twin);
}

void load(MPI_Comm comm, const BodyGroup& group, Hdf5Places& place, ShapeLibrary& shapes) {
  std::string fault;
  try {
    h5::reading(place.file, [&] {
      const GrainFile file(comm, place.file);
      place.mine = read_bodies(file, group, place.population, shapes);
      place.has_shapes = has_shapes(file);
    });
    fault = fault_of(place.mine, shapes);
  } catch (const InputError& error) {
    refuse_together(comm, error.what());
    throw;
  }
  const std::string where = place.file.string() + ": ";
  refuse_together(comm, fault.empty() ? fault : where + fault);
  fault = fault_of_ids(comm, place.mine);
  refuse_together(comm, fault.empty() ? fault : where + fault);
  std::int64_t largest_id = -1;
  for (const Body& body : place.mine) largest_id = std::max(largest_id, body.id);
  place.extent = {.count = sum_over_ranks(comm, static_cast<std::int64_t>(place.mine.size())),
                  .largest_id = max_over_ranks(comm, largest_id)};
  if (place.extent.count == 0) throw InputError(where + "there are no grains");
}

}  // namespace

void load_grain_files(MPI_Comm comm, std::vector<BodyGroup>& groups, ShapeLibrary& shapes) {
  for (BodyGroup& group : groups) {
    if (auto* place = std::get_if<Hdf5Places>(&group.place)) load(comm, group, *place, shapes);
  }
}

}  // namespace scree
