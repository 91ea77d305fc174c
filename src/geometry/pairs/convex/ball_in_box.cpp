#include "scree/geometry/pairs/convex/ball_in_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace scree {
namespace {

/// Abscissas and weights of Gauss and Legendre on [-1, 1], ten points.
constexpr std::array<std::array<double, 2>, 5> kGauss{{{0.1488743389816312, 0.2955242247147529},
                                                       {0.4333953941292472, 0.2692667193099963},
                                                       {0.6794095682990244, 0.2190863625159821},
                                                       {0.8650633666889845, 0.1494513491505806},
                                                       {0.9739065285171717, 0.0666713443086881}}};

/// The integral of sqrt(r^2 - t^2) over t from 0 to @p t.
double half_segment(double t, double r) {
  return 0.5 * (t * std::sqrt(std::max(0.0, r * r - t * t)) +
                r * r * std::asin(std::clamp(t / r, -1.0, 1.0)));
}

/// Area of the points (u, v) of a disc about the origin with u <= x and v <= y.
double corner_area(double x, double y, double r) {
  x = std::clamp(x, -r, r);
  y = std::clamp(y, -r, r);
  const double half_chord = std::sqrt(std::max(0.0, r * r - y * y));  // of the line v = y
  const double m = std::clamp(x, -half_chord, half_chord);
  const double arc = half_segment(m, r) - half_segment(-half_chord, r);
  const double strip = y * (m + half_chord);
  if (y < 0.0) return arc + strip;
  return 2.0 * (half_segment(x, r) - half_segment(-r, r)) - (arc - strip);
}

double disc_in_rectangle(double r, const Box3& box) {
  if (r <= 0.0) return 0.0;
  return corner_area(box.high.x(), box.high.y(), r) - corner_area(box.low.x(), box.high.y(), r) -
         corner_area(box.high.x(), box.low.y(), r) + corner_area(box.low.x(), box.low.y(), r);
}

/// Heights between which the area is smooth: where the circle of a slice begins to meet a side or a
/// corner.
std::vector<double> pieces(double r, const Box3& box) {
  const double low = std::max(box.low.z(), -r);
  const double high = std::min(box.high.z(), r);
  std::vector<double> ends{low, high};
  const auto add = [&](double square) {
    if (square <= 0.0) return;
    for (const double z : {-std::sqrt(square), std::sqrt(square)}) {
      if (z > low && z < high) ends.push_back(z);
    }
  };
  for (const double x : {box.low.x(), box.high.x()}) {
    add(r * r - x * x);
    for (const double y : {box.low.y(), box.high.y()}) {
      add(r * r - x * x - y * y);
      add(r * r - y * y);
    }
  }
  std::ranges::sort(ends);
  return ends;
}

}  // namespace

double volume_of_ball_in_box(const Vec3& centre, double radius, const Box3& box) {
  const Box3 seen{box.low - centre, box.high - centre};  // from the centre of the ball
  if ((seen.low.array() >= radius).any() || (seen.high.array() <= -radius).any()) return 0.0;
  if ((seen.low.array() <= -radius).all() && (seen.high.array() >= radius).all()) {
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  }
  const auto area = [&](double z) {
    return disc_in_rectangle(std::sqrt(std::max(0.0, radius * radius - z * z)), seen);
  };
  const std::vector<double> ends = pieces(radius, seen);
  double volume = 0.0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double middle = 0.5 * (ends[k] + ends[k + 1]);
    const double half = 0.5 * (ends[k + 1] - ends[k]);
    for (const auto& [node, weight] : kGauss) {
      for (const double s : {-node, node}) {
        // z = middle + half s (3 - s^2)/2 takes the roots at the ends of the piece out of the
        // integrand.
        volume +=
            weight * 1.5 * half * (1.0 - s * s) * area(middle + 0.5 * half * s * (3.0 - s * s));
      }
    }
  }
  return volume;
}

}  // namespace scree
