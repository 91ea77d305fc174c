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

/// Makes the grains of one group, one overload for each way to place them. Each returns how many
/// ids the group takes.
class GroupMaker {
 public:
  GroupMaker(const BodyGroup& group, const Share& share, std::int64_t first_id,
             const Body& prototype, std::vector<Body>& bodies)
      : group_(group), share_(share), first_id_(first_id), prototype_(prototype), bodies_(bodies) {}

  std::int64_t operator()(const BoxPlaces& box) const {
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
    return box.count;
  }

  std::int64_t operator()(const CsvPlaces& csv) const {
    const CsvExtent extent = scan_csv_grains(csv.file, share_);
    append_csv_grains(csv.file, extent, share_, first_id_, prototype_, bodies_);
    return extent.largest_id + 1;
  }

  std::int64_t operator()(const PointPlaces& points) const {
    require_radii();
    const auto n = static_cast<std::int64_t>(points.positions.size());
    for (std::int64_t i = share_.begin(n); i < share_.end(n); ++i) {
      append(i, points.positions[static_cast<std::size_t>(i)], radius_at_point(i));
    }
    return n;
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
  std::vector<Body> bodies;
  std::int64_t next_id = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Body prototype = prototype_of(groups[g], materials);
    prototype.group = static_cast<std::int32_t>(g);
    const GroupMaker make(groups[g], share, next_id, prototype, bodies);
    next_id += std::visit(make, groups[g].place);
  }
  return bodies;
}

std::int64_t count_bodies(std::span<const BodyGroup> groups) {
  struct Counter {
    std::int64_t operator()(const BoxPlaces& box) const { return box.count; }
    std::int64_t operator()(const CsvPlaces& csv) const {
      return scan_csv_grains(csv.file, {}).rows;
    }
    std::int64_t operator()(const PointPlaces& points) const {
      return static_cast<std::int64_t>(points.positions.size());
    }
  };
  std::int64_t count = 0;
  for (const BodyGroup& group : groups) count += std::visit(Counter{}, group.place);
  return count;
}

}  // namespace scree
