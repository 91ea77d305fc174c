#include "mass_properties.hpp"

#include <numeric>

namespace scree {

MassProperties mass_properties(std::span<const Vec3> vertices,
                               std::span<const std::vector<std::int32_t>> loops) {
  const Vec3 middle = std::accumulate(vertices.begin(), vertices.end(), Vec3(Vec3::Zero())) /
                      static_cast<double>(vertices.size());
  const auto vertex = [&](std::int32_t i) -> Vec3 { return vertices[i] - middle; };
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const std::vector<std::int32_t>& loop : loops) {
    const Vec3 a = vertex(loop[0]);
    for (std::size_t k = 2; k < loop.size(); ++k) {
      const Vec3 b = vertex(loop[k - 1]);
      const Vec3 c = vertex(loop[k]);
      const Vec3 sum = a + b + c;
      const double v = a.dot(b.cross(c)) / 6.0;
      volume += v;
      first += 0.25 * v * sum;
      second += 0.05 * v *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  const Vec3 centre = first / volume;
  return {volume, middle + centre, second / volume - centre * centre.transpose()};
}

}  // namespace scree
