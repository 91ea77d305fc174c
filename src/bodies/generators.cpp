#include "scree/bodies/generators.hpp"

#include <fmt/format.h>

#include <cmath>

#include "box_lattice.hpp"
#include "csv_grains.hpp"
#include "scree/base/check.hpp"
#include "scree/bodies/counter_random.hpp"

namespace scree {
namespace {

/// Which of a grain's random numbers is for what.
enum RandomNumber : std::uint64_t { kRadius, kX, kY, kZ };

double random_radius(const Radii& radii, double random) {
  if (const auto* uniform = std::get_if<UniformRadii>(&radii)) {
    return uniform->min + random * (uniform->max - uniform->min);
  }
  const auto& values = std::get<RadiiList>(radii).values;
  return values[static_cast<std::size_t>(random * static_cast<double>(values.size()))];
}

/// Of one group. A file is read.
GrainExtent extent_of(const BodyGroup& group, const Share& share) {
  if (const auto* csv = std::get_if<CsvPlaces>(&group.place)) {
    return scan_csv_grains(csv->file, share);
  }
  const auto* box = std::get_if<BoxPlaces>(&group.place);
  const std::int64_t n =
      box != nullptr
          ? box->count
          : static_cast<std::int64_t>(std::get<PointPlaces>(group.place).positions.size());
  return {.count = n, .largest_id = n - 1};
}

/// Of each group. @throws InputError when they have more grains together than can be numbered.
std::vector<GrainExtent> extents_of(std::span<const BodyGroup> groups, const Share& share) {
  std::vector<GrainExtent> extents;
  std::int64_t count = 0;
  for (const BodyGroup& group : groups) {
    extents.push_back(extent_of(group, share));
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
  GroupMaker(const BodyGroup& group, const Share& share, const GrainExtent& extent,
             std::int64_t first_id, const Body& prototype, std::vector<Body>& bodies)
      : group_(group),
        share_(share),
        extent_(extent),
        first_id_(first_id),
        prototype_(prototype),
        bodies_(bodies) {}

  void operator()(const BoxPlaces& box) const {
    require_radii();
    const double largest = largest_radius(group_.radii);
    if (box.count > BoxLattice::capacity(box, largest)) {
      throw InputError(
          fmt::format("bodies.{}.place: {}", group_.name, BoxLattice::does_not_fit(box, largest)));
    }
    const BoxLattice lattice(box, smallest_radius(group_.radii), largest);
    const auto seed = static_cast<std::uint64_t>(box.seed);
    for (std::int64_t i = share_.begin(box.count); i < share_.end(box.count); ++i) {
      const auto item = static_cast<std::uint64_t>(i);
      const double radius = random_radius(group_.radii, uniform_number(seed, item, kRadius));
      const Vec3 random(uniform_number(seed, item, kX), uniform_number(seed, item, kY),
                        uniform_number(seed, item, kZ));
      append(i, lattice.place(i, radius, random), radius);
    }
  }

  void operator()(const CsvPlaces& csv) const {
    append_csv_grains(csv.file, extent_, share_, first_id_, prototype_, bodies_);
  }

  void operator()(const PointPlaces& points) const {
    require_radii();
    for (std::int64_t i = share_.begin(extent_.count); i < share_.end(extent_.count); ++i) {
      append(i, points.positions[static_cast<std::size_t>(i)], radius_at_point(i));
    }
  }

 private:
  void require_radii() const {
    if (std::holds_alternative<RadiiOfFile>(group_.radii)) {
      throw InputError(fmt::format("bodies.{}.radii: are needed: uniform or list", group_.name));
    }
  }

  double radius_at_point(std::int64_t i) const {
    const auto item = static_cast<std::uint64_t>(i);
    if (const auto* list = std::get_if<RadiiList>(&group_.radii)) {
      return list->values[item % list->values.size()];
    }
    constexpr std::uint64_t kSeed = 1;
    return random_radius(group_.radii, uniform_number(kSeed, item, kRadius));
  }

  void append(std::int64_t i, const Vec3& position, double radius) const {
    Body body = prototype_;
    body.id = first_id_ + i;
    body.position = position;
    body.shape = Sphere{radius};
    bodies_.push_back(body);
  }

  const BodyGroup& group_;
  const Share& share_;
  const GrainExtent& extent_;
  std::int64_t first_id_;
  const Body& prototype_;
  std::vector<Body>& bodies_;
};

Body prototype_of(const BodyGroup& group, std::span<const Material> materials) {
  Body body;
  body.material = material_index(materials, group.material);
  body.density = materials[static_cast<std::size_t>(body.material)].density;
  body.velocity = group.velocity;
  body.angular_velocity = group.angular_velocity;
  body.fixed = group.fixed();
  return body;
}

}  // namespace

std::vector<Body> generate(std::span<const BodyGroup> groups, std::span<const Material> materials,
                           const Share& share) {
  const std::vector<GrainExtent> extents = extents_of(groups, share);
  std::vector<Body> bodies;
  std::int64_t next_id = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Body prototype = prototype_of(groups[g], materials);
    prototype.group = static_cast<std::int32_t>(g);
    std::visit(GroupMaker(groups[g], share, extents[g], next_id, prototype, bodies),
               groups[g].place);
    next_id += extents[g].largest_id + 1;
  }
  return bodies;
}

}  // namespace scree
