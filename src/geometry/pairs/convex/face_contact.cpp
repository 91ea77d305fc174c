#include "face_contact.hpp"

#include <algorithm>

#include "deepest.hpp"

namespace scree {
namespace {

/// The line of which a side of the clipped polygon is a part: an edge of one of the two cores.
struct Line {
  bool of_face;  ///< whether it is of the core with the face; else of the incident one
  std::int32_t edge;
};

/// A corner, and the line of the side that leaves it.
struct Corner {
  Vec3 point;
  Line leaves;
};

using Polygon = std::vector<Corner>;

/// The plane through a side of the reference face: outside is where height > 0.
struct SidePlane {
  Vec3 normal;
  double offset;
  std::int32_t edge;

  double height(const Vec3& p) const { return normal.dot(p) - offset; }
};

/// Puts into @p kept the part of @p polygon that clipping keeps: on the plane's inner side, @p
/// rounding (m) beyond it included.
void clip(const Polygon& polygon, const SidePlane& plane, double rounding, Polygon& kept) {
  kept.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner& here = polygon[i];
    const Corner& next = polygon[(i + 1) % polygon.size()];
    const double h = plane.height(here.point);
    const double h_next = plane.height(next.point);
    if (h <= rounding) kept.push_back(here);
    if ((h <= rounding) == (h_next <= rounding)) continue;
    const double share = std::clamp(h / (h - h_next), 0.0, 1.0);
    const Vec3 crossing = here.point + share * (next.point - here.point);
    kept.push_back({crossing, h <= rounding ? Line{true, plane.edge} : here.leaves});
  }
}

/// The polygon of the incident core towards @p direction: the best face at its farthest vertex, the
/// two ends of a segment, or a point.
Polygon incident_polygon(const Core& core, const Vec3& direction, std::int32_t* face) {
  const Hull& hull = core.hull();
  Polygon polygon;
  *face = face_towards(core, direction, core.support(direction));
  if (*face < 0) {
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
      polygon.push_back({core.vertex(static_cast<std::int32_t>(i)), {false, 0}});
    }
    return polygon;
  }
  const Hull::Face& f = hull.faces[*face];
  polygon.reserve(f.end - f.begin);
  for (std::int32_t k = f.begin; k < f.end; ++k) {
    polygon.push_back({core.vertex(hull.loops[k]), {false, hull.loop_edges[k]}});
  }
  return polygon;
}

/// The vertex that two edges share; -1 when they share none.
std::int32_t shared_vertex(const Hull& hull, std::int32_t edge, std::int32_t other) {
  const Hull::Edge& e = hull.edges[edge];
  const Hull::Edge& o = hull.edges[other];
  if (e.start == o.start || e.start == o.end) return e.start;
  if (e.end == o.start || e.end == o.end) return e.end;
  return -1;
}

/// The corner of one core where two of its lines meet: their vertex, or where clipping by nearly
/// parallel sides left none, one of the edges.
std::int32_t corner_feature(const Hull& hull, std::int32_t edge, std::int32_t other) {
  const std::int32_t vertex = shared_vertex(hull, edge, other);
  return vertex >= 0 ? vertex_feature(vertex) : edge_feature(hull, std::min(edge, other));
}

class Clipping {
 public:
  Clipping(const Core& core, std::int32_t face, const Core& incident)
      : core_(core),
        incident_(incident),
        face_(face),
        normal_(core.normal(face)),
        height_(normal_.dot(core.vertex(core.support(normal_)))) {}

  FaceContact run() {
    // A segment's polygon has two sides along it, whose corners are its ends.
    Polygon polygon = incident_polygon(incident_, -normal_, &incident_face_);
    const Hull::Face& f = core_.hull().faces[face_];
    const double rounding = 1e-13 * (core_.reach() + incident_.reach());
    Polygon kept;
    kept.reserve(polygon.size() + (f.end - f.begin));  // a side adds a corner at most
    for (std::int32_t k = f.begin; k < f.end; ++k) {
      clip(polygon, side_plane(k), rounding, kept);
      polygon.swap(kept);
    }
    add_corners(polygon);
    const FacePoint lowest = lowest_vertex();
    const bool is_over_face = std::any_of(points_.begin(), points_.end(), [&](const auto& p) {
      return p.gap <= lowest.gap + 2.0 * rounding;
    });
    return {std::move(points_), lowest, is_over_face};
  }

 private:
  SidePlane side_plane(std::size_t k) const {
    const Hull::Edge& edge = core_.hull().edges[core_.hull().loop_edges[k]];
    const Vec3 start = core_.vertex(edge.start);
    Vec3 out = (core_.vertex(edge.end) - start).cross(normal_).normalized();
    if (edge.left != face_) out = -out;
    return {out, out.dot(start), core_.hull().loop_edges[k]};
  }

  void add_corners(const Polygon& polygon) {
    const std::size_t n = polygon.size();
    points_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      add(polygon[i].point, polygon[(i + n - 1) % n].leaves, polygon[i].leaves, i);
    }
  }

  void add(const Vec3& point, const Line& arrives, const Line& leaves, std::size_t i) {
    std::int32_t of_face = face_feature(core_.hull(), face_);
    std::int32_t incident = 0;
    if (arrives.of_face && leaves.of_face) {
      of_face = corner_feature(core_.hull(), arrives.edge, leaves.edge);
      incident = incident_face_ >= 0 ? face_feature(incident_.hull(), incident_face_)
                                     : edge_feature(incident_.hull(), 0);
    } else if (arrives.of_face || leaves.of_face) {
      of_face = edge_feature(core_.hull(), arrives.of_face ? arrives.edge : leaves.edge);
      incident = edge_feature(incident_.hull(), arrives.of_face ? leaves.edge : arrives.edge);
    } else if (incident_face_ >= 0) {
      incident = corner_feature(incident_.hull(), arrives.edge, leaves.edge);
    } else {
      incident = end_feature(point, i);
    }
    const auto same = [&](const FacePoint& p) {
      return p.of_face == of_face && p.incident == incident;
    };
    if (std::any_of(points_.begin(), points_.end(), same)) return;
    points_.push_back({point, normal_.dot(point) - height_, of_face, incident});
  }

  /// Which end of the incident segment (or the one point) @p point is.
  std::int32_t end_feature(const Vec3& point, std::size_t i) const {
    if (incident_.hull().vertices.size() == 1) return vertex_feature(0);
    const double to_first = (point - incident_.vertex(0)).squaredNorm();
    const double to_second = (point - incident_.vertex(1)).squaredNorm();
    if (to_first == to_second) return vertex_feature(static_cast<std::int32_t>(i % 2));
    return vertex_feature(to_first < to_second ? 0 : 1);
  }

  FacePoint lowest_vertex() const {
    const std::int32_t vertex = incident_.support(-normal_);
    const Vec3 point = incident_.vertex(vertex);
    return {point, normal_.dot(point) - height_, face_feature(core_.hull(), face_),
            vertex_feature(vertex)};
  }

  const Core& core_;
  const Core& incident_;
  std::int32_t face_;
  Vec3 normal_;
  double height_;  ///< normal_ . x on the face
  std::int32_t incident_face_ = -1;
  std::vector<FacePoint> points_;
};

}  // namespace

FaceContact face_contact(const Core& core, std::int32_t face, const Core& incident) {
  return Clipping(core, face, incident).run();
}

}  // namespace scree
