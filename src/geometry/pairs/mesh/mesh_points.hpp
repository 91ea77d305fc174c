#pragma once

/// The points where a body touches a mesh, as they are found triangle by triangle.
///
/// A point that two triangles know is one: it has the number of its features. Points next to each
/// other with one normal are one, too (an edge that is flat to rounding, and the faces beside it).
/// Points ahead, on the plane of a face past a concave edge where the body may come within the
/// step, count where no other has about their normal.

#include <vector>

#include "scree/geometry/pairs/manifold.hpp"

namespace scree {

class MeshPoints {
 public:
  /// @param size of the body, m
  MeshPoints(double margin, double size) : margin_(margin), near_(1e-4 * size) {}

  double margin() const { return margin_; }
  void add(const ContactPoint& point) {
    if (point.gap <= margin_) points_.push_back(point);
  }
  void add_ahead(const ContactPoint& point) {
    if (point.gap <= margin_) ahead_.push_back(point);
  }
  void note(SeparationStatus status) {
    if (status != SeparationStatus::solved) status_ = status;
  }
  bool empty() const { return points_.empty() && ahead_.empty(); }
  /// All of them once, the deepest first; of more than a manifold holds along one normal four that
  /// hold the body. @pre not empty
  Manifold taken();
  /// The deepest alone. @pre not empty
  Manifold deepest();

 private:
  bool is_known(const ContactPoint& point) const;

  double margin_;
  double near_;
  SeparationStatus status_ = SeparationStatus::solved;
  std::vector<ContactPoint> points_;
  std::vector<ContactPoint> ahead_;
  std::vector<ContactPoint> kept_;
};

/// One point by itself.
Manifold alone(const ContactPoint& point);

}  // namespace scree
