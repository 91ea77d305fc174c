#include "scree/sources/generators.hpp"

#include <fmt/format.h>

#include <cmath>

#include "csv_grains.hpp"
#include "filled_region.hpp"
#include "scree/base/check.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/sources/counter_random.hpp"

namespace scree {
namespace {

/// Which of a grain's random numbers is for what.
enum SiteNumber : std::uint64_t { kSize, kX, kY, kZ, kOrientation };

/// How many grains a group has. A file is read.
struct ExtentOf {
  const BodyGroup& group;
  const Share& share;

  template <class R>
  GrainExtent operator()(const RegionPlaces<R>& place) const {
    if (place.filling.count > 0) return counted(place.filling.count);
    const std::string fault = fault_of_filling(place.region, place.filling, group.largest());
    if (!fault.empty()) throw InputError(fmt::format("bodies.{}.place: {}", group.name, fault));
    return counted(
        FilledRegion(place.region, place.filling, group.smallest(), group.largest()).count());
  }
  GrainExtent operator()(const CsvPlaces& csv) const { return scan_csv_grains(csv.file, share); }
  GrainExtent operator()(const Hdf5Places& places) const {
    const std::int64_t tiles = places.tiles.count();
    const auto& [count, largest_id] = places.extent;
    if (count > kMaxGrains / tiles || largest_id >= kFirstToolId / tiles) {
      throw InputError(fmt::format(
          "bodies.{}.place.repeat: {} copies of {} grains are more than can be numbered; "
          "allowed: at most {} grains, with ids in the file that leave room for as many",
          group.name, tiles, count, kMaxGrains));
    }
    return {.count = tiles * count, .largest_id = tiles * (largest_id + 1) - 1};
  }
  GrainExtent operator()(const PointPlaces& points) const {
    return counted(static_cast<std::int64_t>(points.positions.size()));
  }

 private:
  static GrainExtent counted(std::int64_t n) { return {.count = n, .largest_id = n - 1}; }
};

/// The extents of the grains of each group. @throws InputError when they have more grains together
/// than can be numbered.
std::vector<GrainExtent> extents_of(std::span<const BodyGroup> groups, const Share& share) {
  std::vector<GrainExtent> extents;
  std::int64_t count = 0;
  for (const BodyGroup& group : groups) {
    extents.push_back(std::visit(ExtentOf{group, share}, group.place));
    count += extents.back().count;
    if (count > kMaxGrains) {
      throw InputError(fmt::format(
          "bodies.{}.place: {} grains here make {} with the groups before; at most {} can be "
          "numbered; give fewer",
          group.name, extents.back().count, count, kMaxGrains));
    }
  }
  return extents;
}

/// Makes the grains of one group, one overload for each way to place them.
class GroupMaker {
 public:
  GroupMaker(const BodyGroup& group, const Mixture& grains, const Share& share,
             const GrainExtent& extent, std::int64_t first_id, const ShapeLibrary& shapes,
             std::vector<Body>& bodies)
      : group_(group),
        grains_(grains),
        share_(share),
        extent_(extent),
        first_id_(first_id),
        shapes_(shapes),
        bodies_(bodies) {}

  template <class R>
  void operator()(const RegionPlaces<R>& place) const {
    require_radii();
    const std::string fault = fault_of_filling(place.region, place.filling, group_.largest());
    if (!fault.empty()) throw InputError(fmt::format("bodies.{}.place: {}", group_.name, fault));
    const FilledRegion filled(place.region, place.filling, group_.smallest(), group_.largest());
    const auto seed = static_cast<std::uint64_t>(place.filling.seed);
    for (std::int64_t i = share_.begin(extent_.count); i < share_.end(extent_.count); ++i) {
      const auto item = static_cast<std::uint64_t>(i);
      Body body = drawn(seed, i);
      const Vec3 random(uniform_number(seed, item, kX), uniform_number(seed, item, kY),
                        uniform_number(seed, item, kZ));
      grains_.turn(body, uniform_vector(seed, item, kOrientation));
      body.position = filled.place(i, bounding_radius(body.shape, shapes_), random);
      append(i, body);
    }
  }

  void operator()(const CsvPlaces& csv) const {
    append_csv_grains(csv.file, extent_, share_, first_id_, grains_, bodies_);
  }

  void operator()(const Hdf5Places& places) const {
    for (std::int64_t tile = 0; tile < places.tiles.count(); ++tile) append_tile(places, tile);
  }

  void operator()(const PointPlaces& points) const {
    require_radii();
    constexpr std::uint64_t kSeed = 1;
    const auto* list = std::get_if<RadiiList>(&group_.radii);
    for (std::int64_t i = share_.begin(extent_.count); i < share_.end(extent_.count); ++i) {
      const std::size_t item = i;
      Body body = drawn(kSeed, i);
      if (list != nullptr) grains_.resize(body, list->values[item % list->values.size()]);
      body.position = points.positions[item];
      append(i, body);
    }
  }

 private:
  /// This rank's rows of a file once more, at the place of copy @p tile.
  void append_tile(const Hdf5Places& places, std::int64_t tile) const {
    const Vec3 shift = places.tiles.shift(tile);
    const std::int64_t first_id = first_id_ + tile * (places.extent.largest_id + 1);
    for (const Body& row : places.mine) {
      Body body = grains_.prototype();
      body.id = first_id + row.id;
      body.position = row.position + shift;
      if (!group_.orientation) body.orientation = row.orientation;
      body.velocity = row.velocity;
      body.angular_velocity = row.angular_velocity;
      body.shape = row.shape;
      if (row.shape.is<Sphere>() && !places.has_shapes) {
        grains_.resize(body, equal_volume_radius(row.shape, shapes_));
      }
      bodies_.push_back(body);
    }
  }

  void require_radii() const {
    if (group_.largest() > 0.0) return;
    throw InputError(fmt::format("bodies.{}.radii: are needed", group_.name));
  }

  /// Grain @p i without place and id.
  Body drawn(std::uint64_t seed, std::int64_t i) const {
    return grains_.grain(stratified_number(seed, static_cast<std::uint64_t>(i),
                                           static_cast<std::uint64_t>(extent_.count), kSize));
  }

  void append(std::int64_t i, Body& body) const {
    body.id = first_id_ + i;
    bodies_.push_back(body);
  }

  const BodyGroup& group_;
  const Mixture& grains_;
  const Share& share_;
  const GrainExtent& extent_;
  std::int64_t first_id_;
  const ShapeLibrary& shapes_;
  std::vector<Body>& bodies_;
};

}  // namespace

std::vector<Body> generate(std::span<const BodyGroup> groups, std::span<const Material> materials,
                           const Share& share, const ShapeLibrary& shapes) {
  const std::vector<GrainExtent> extents = extents_of(groups, share);
  std::vector<Body> bodies;
  std::int64_t next_id = 0;
  std::int32_t next_population = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Mixture grains(groups[g], materials, next_population);
    std::visit(GroupMaker(groups[g], grains, share, extents[g], next_id, shapes, bodies),
               groups[g].place);
    next_id += extents[g].largest_id + 1;
    next_population += static_cast<std::int32_t>(groups[g].population_names().size());
  }
  return bodies;
}

}  // namespace scree
