#include "apart.hpp"

#include <array>
#include <limits>

#include "geometry/pairs/convex/simplex.hpp"
#include "smooth_normal.hpp"

namespace scree {
namespace {

constexpr int kIterations = 64;
/// Iterations after which the normal of smooth bodies is solved for, once (smooth_normal.hpp): of
/// superellipsoids of exponents 4 it is then found for three of four pairs, within 23 looks in the
/// mean (31 by iterations alone). After six for two of three, within 25; after two for half, within
/// 30.
constexpr int kBeforeSmooth = 10;
/// The largest part of the point that is across the normal of smooth bodies, over the size. The
/// distance is off by its square over twice the distance: at kLeast 5e-14 of the size.
constexpr double kAcross = 1e-9;
/// Iterations that are to show that bodies are apart: they show it of nearly all that are by a
/// tenth of their size.
constexpr int kFewIterations = 6;
/// The distance over the size below which bodies are left to the expanding polytope.
constexpr double kLeast = 1e-5;
/// The largest error of a distance, over the size, with which the iteration ends.
constexpr double kTolerance = 1e-13;
/// The largest error, over the size, of a distance that no further point makes smaller.
constexpr double kRounding = 1e-12;

/// The points of an iteration, and where they are nearest to the origin.
struct Simplex {
  std::array<Sight, 4> points{};
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

/// The iteration, from the bodies' centres on.
class Approach {
 public:
  explicit Approach(const Difference& difference)
      : difference_(difference), v_(-difference.apart()) {}

  /// The cores' distance is not larger, m.
  double upper() const { return v_.norm(); }
  /// It is not smaller, m: not above 0 where none of the points shows that they are apart.
  double lower() const { return -least_; }
  /// Between the bounds, m.
  double off() const { return distance_ - lower(); }

  /// @pre upper() > 0
  void look() {
    sight_ = difference_.look(-v_.normalized());
    if (sight_.value >= least_) return;
    least_ = sight_.value;
    best_ = sight_.direction;
  }

  const Sight& sight() const { return sight_; }

  enum class Move { nearer, none, inside };
  Move move() {
    const Simplex next = extended(simplex_, sight_);
    if (next.size == 0) return Move::inside;
    v_ = next.nearest.v;
    const double distance = next.point().norm();
    if (!(distance < distance_)) return Move::none;
    simplex_ = next;
    distance_ = distance;
    return Move::nearer;
  }

  /// @pre lower() > 0
  CommonNormal result() const {
    return CommonNormal::about(simplex_.middle(), lower(), -best_, SeparationStatus::solved);
  }

 private:
  const Difference& difference_;
  Simplex simplex_;
  Sight sight_{};
  Vec3 v_;
  double distance_ = std::numeric_limits<double>::infinity();  ///< of the simplex
  double least_ = std::numeric_limits<double>::infinity();     ///< of h
  Vec3 best_ = Vec3::Zero();
};

CommonNormal of_sight(const Sight& sight) {
  return CommonNormal::about(0.5 * (sight.of_a + sight.of_b), -sight.value, -sight.direction,
                             SeparationStatus::solved);
}

}  // namespace

std::optional<CommonNormal> normal_of_apart(const Difference& difference) {
  const double size = difference.size();
  Approach approach(difference);
  for (int k = 0; k < kIterations; ++k) {
    if (!(approach.upper() > kLeast * size)) return std::nullopt;
    approach.look();
    if (approach.off() <= kTolerance * size) return approach.result();
    if (k == kBeforeSmooth && difference.is_smooth() && approach.sight().value < 0.0) {
      const auto sight = smooth_normal(difference, approach.sight(), kAcross * size);
      if (sight && -sight->value > kLeast * size) return of_sight(*sight);
    }
    switch (approach.move()) {
      case Approach::Move::nearer:
        break;
      case Approach::Move::none:
        return approach.off() <= kRounding * size ? std::optional(approach.result()) : std::nullopt;
      case Approach::Move::inside:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

bool are_parted(const Difference& difference, double distance) {
  Approach approach(difference);
  for (int k = 0; k < kFewIterations; ++k) {
    if (!(approach.upper() > distance)) return false;
    approach.look();
    if (approach.lower() >= distance) return true;
    if (approach.move() != Approach::Move::nearer) return false;
  }
  return false;
}

}  // namespace scree
