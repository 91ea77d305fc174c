#include "apart.hpp"

#include <array>
#include <limits>

#include "geometry/pairs/convex/simplex.hpp"

namespace scree {
namespace {

constexpr int kIterations = 64;
/// The distance over the size below which bodies are left to the expanding polytope.
constexpr double kLeast = 1e-5;
/// The largest error of a distance, over the size, with which the iteration ends.
constexpr double kTolerance = 1e-13;
/// The largest error, over the size, of a distance that no further point makes smaller.
constexpr double kRounding = 1e-12;

/// The points of an iteration, and where they are nearest to the origin.
struct Simplex {
  std::array<Sight, 4> points;
  int size = 0;
  SimplexPart nearest;

  /// The point of the difference that their weights give, of any size however thin they are.
  Vec3 point() const {
    return sum_of([](const Sight& s) { return s.point; });
  }
  /// Halfway between the bodies' points.
  Vec3 middle() const {
    return sum_of([](const Sight& s) { return Vec3(0.5 * (s.of_a + s.of_b)); });
  }

 private:
  template <class Part>
  Vec3 sum_of(const Part& part) const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < size; ++i) sum += nearest.weight[i] * part(points[i]);
    return sum;
  }
};

/// The part nearest to the origin of a simplex with one more point; of size 0 where the origin is
/// inside.
Simplex extended(const Simplex& simplex, const Sight& sight) {
  std::array<Sight, 4> points = simplex.points;
  points[simplex.size] = sight;
  const int size = simplex.size + 1;
  std::array<Vec3, 4> corners;
  for (int i = 0; i < size; ++i) corners[i] = points[i].point;
  Simplex next;
  next.nearest = nearest_part(corners, size);
  next.size = next.nearest.size;
  for (int i = 0; i < next.size; ++i) next.points[i] = points[next.nearest.index[i]];
  return next;
}

}  // namespace

std::optional<CommonNormal> normal_of_apart(const Difference& difference) {
  const double size = difference.size();
  Simplex simplex;
  Vec3 v = -difference.apart();
  double distance = std::numeric_limits<double>::infinity();
  double least = 0.0;  // of h
  Vec3 best = Vec3::Zero();
  const auto result = [&] {
    return CommonNormal::about(simplex.middle(), -least, -best, SeparationStatus::solved);
  };
  for (int k = 0; k < kIterations; ++k) {
    if (!(v.norm() > kLeast * size)) return std::nullopt;
    const Sight sight = difference.look(-v.normalized());
    if (sight.value < least) {
      least = sight.value;
      best = sight.direction;
    }
    const double off = (distance + least) / size;
    if (off <= kTolerance) return result();
    const Simplex next = extended(simplex, sight);
    if (next.size == 0) return std::nullopt;
    v = next.nearest.v;
    const double next_distance = next.point().norm();
    if (!(next_distance < distance))
      return off <= kRounding ? std::optional(result()) : std::nullopt;
    simplex = next;
    distance = next_distance;
  }
  return std::nullopt;
}

}  // namespace scree
