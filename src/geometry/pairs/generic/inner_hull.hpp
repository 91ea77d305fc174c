#pragma once

/// A polytope inside a convex body that grows towards its surface by one point at a time, as in the
/// expanding polytope algorithm (van den Bergen, Game Developers Conference, 2001): faces that see
/// the new point make room for a fan around it.

#include <array>
#include <cstdint>
#include <limits>

#include "scree/base/math.hpp"

namespace scree {

class InnerHull {
 public:
  static constexpr int kVertices = 384;

  struct Face {
    std::array<std::int16_t, 3> vertices;  ///< counter-clockwise seen from outside
    std::array<std::int16_t, 3> beside;    ///< the face beyond the side from vertex k to k + 1
    Vec3 normal;                           ///< unit, outward; zero of a face without area
    double offset;                         ///< normal . x on it, m; infinite without area
    bool is_there;
    bool is_closed;  ///< not to be asked again
  };

  /// The tetrahedron of four points. @pre the first three are counter-clockwise seen from outside
  InnerHull(const std::array<Vec3, 4>& corners, double rounding);

  int n_vertices() const { return n_vertices_; }
  int n_faces() const { return n_faces_; }  ///< those that are gone included
  const Vec3& vertex(int i) const { return vertices_[i]; }
  const Face& face(int f) const { return faces_[f]; }
  Vec3 corner(int f, int k) const { return vertices_[faces_[f].vertices[k]]; }
  void close(int f) { faces_[f].is_closed = true; }

  /// The face that the point @p w is highest above; -1 where it is above none by more than
  /// rounding.
  int face_below(const Vec3& w) const;

  /// Grows to the point @p w, which the face @p seed sees; its number is that of the last vertex.
  /// Where rounding leaves the rim of what sees it no simple loop, only faces that see it clearly
  /// make room, the seed alone at last. False where there are kVertices.
  bool grow(const Vec3& w, int seed);

 private:
  static constexpr int kFaces = 4 * kVertices;

  int fresh_face();
  void set(int f, int a, int b, int c);
  bool sees(int f, const Vec3& w, double height) const {
    return faces_[f].normal.dot(w) - faces_[f].offset > height;
  }
  /// Gathers what sees @p w from below @p height, from @p seed on, and the sides at its rim.
  /// Whether that is one loop.
  bool gather(const Vec3& w, int seed, double height);

  /// A side of a face that stays, as that which goes has it.
  struct Side {
    std::int16_t start, end;
    std::int16_t beyond;
  };

  double rounding_;
  int n_vertices_ = 4;
  int n_faces_ = 0;
  int n_free_ = 0;
  int n_seen_ = 0;
  int n_rim_ = 0;
  std::array<Vec3, kVertices> vertices_;
  std::array<Face, kFaces> faces_;
  std::array<std::int16_t, kFaces> free_;
  std::array<std::int16_t, kFaces> seen_;
  std::array<Side, kFaces> rim_;
  std::array<std::int16_t, kVertices> starts_;  ///< new face of the rim's side from a vertex
};

}  // namespace scree
