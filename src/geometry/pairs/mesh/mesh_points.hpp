#pragma once

/// The points where a body touches a mesh, as they are found triangle by triangle.
///
/// A point that two triangles know is one: it has the number of its features. Points next to each
/// other with one normal are one, too (an edge that is flat to rounding, and the faces beside it).
/// Points ahead, on the plane of a face past a concave edge where the body may come within the
/// step, count where no other has about their normal.

#include <algorithm>

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
  bool empty() const { return points_.size() == 0 && ahead_.size() == 0; }
  /// From here on the deepest alone counts: the margin is the least gap so far.
  void narrow() {
    for (const ContactPoint& point : points_) margin_ = std::min(margin_, point.gap);
  }
  bool has_points() const { return points_.size() > 0; }
  /// All of them once, the deepest first; of more than a manifold holds along one normal four that
  /// hold the body. @pre not empty
  Manifold taken();
  /// The deepest that is no point ahead. @pre has_points
  Manifold deepest() const;

 private:
  bool is_known(const Manifold& kept, const ContactPoint& point) const;

  double margin_;
  double near_;
  SeparationStatus status_ = SeparationStatus::solved;
  Manifold points_;
  Manifold ahead_;
};

/// One point by itself.
Manifold alone(const ContactPoint& point);

}  // namespace scree
