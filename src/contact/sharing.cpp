#include "sharing.hpp"

#include <algorithm>

namespace scree {

std::vector<double> sharing_counts(const Manifold& manifold, double reach) {
  std::vector<double> counts;
  for (const ContactPoint& point : manifold) {
    double count = 0.0;
    for (const ContactPoint& other : manifold) {
      const double as_deep = std::clamp(1.0 - (other.gap - point.gap) / reach, 0.0, 1.0);
      count += as_deep * std::max(0.0, other.normal.dot(point.normal));
    }
    counts.push_back(std::max(1.0, count));
  }
  return counts;
}

}  // namespace scree
