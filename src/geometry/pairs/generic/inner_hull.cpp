#include "inner_hull.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

InnerHull::InnerHull(const std::array<Vec3, 4>& corners, double rounding) : rounding_(rounding) {
  std::copy(corners.begin(), corners.end(), vertices_.begin());
  constexpr std::array<std::array<int, 3>, 4> kSides{{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
  constexpr std::array<std::array<std::int16_t, 3>, 4> kBeside{
      {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}}};
  for (std::size_t f = 0; f < kSides.size(); ++f) {
    set(fresh_face(), kSides[f][0], kSides[f][1], kSides[f][2]);
    faces_[f].beside = kBeside[f];
  }
}

int InnerHull::fresh_face() {
  const int f = n_free_ > 0 ? free_[--n_free_] : n_faces_++;
  faces_[f].is_there = true;
  faces_[f].is_closed = false;
  return f;
}

void InnerHull::set(int f, int a, int b, int c) {
  Face& face = faces_[f];
  face.vertices = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b),
                   static_cast<std::int16_t>(c)};
  const Vec3 across = (vertices_[b] - vertices_[a]).cross(vertices_[c] - vertices_[a]);
  const double area = across.norm();
  const bool is_thin = !(area > std::numeric_limits<double>::min());
  face.normal = is_thin ? Vec3(Vec3::Zero()) : Vec3(across / area);
  face.offset = is_thin ? std::numeric_limits<double>::infinity() : face.normal.dot(vertices_[a]);
}

int InnerHull::face_below(const Vec3& w) const {
  int best = -1;
  double highest = rounding_;
  for (int f = 0; f < n_faces_; ++f) {
    if (!faces_[f].is_there) continue;
    const double height = faces_[f].normal.dot(w) - faces_[f].offset;
    if (height <= highest) continue;
    highest = height;
    best = f;
  }
  return best;
}

bool InnerHull::gather(const Vec3& w, int seed, double height) {
  n_seen_ = 0;
  n_rim_ = 0;
  seen_[n_seen_++] = static_cast<std::int16_t>(seed);
  faces_[seed].is_there = false;
  for (int next = 0; next < n_seen_; ++next) {
    const Face& face = faces_[seen_[next]];
    for (int k = 0; k < 3; ++k) {
      const std::int16_t other = face.beside[k];
      if (!faces_[other].is_there) continue;
      if (sees(other, w, height)) {
        faces_[other].is_there = false;
        seen_[n_seen_++] = other;
      }
    }
  }
  for (int i = 0; i < n_seen_; ++i) {
    const Face& face = faces_[seen_[i]];
    for (int k = 0; k < 3; ++k) {
      if (!faces_[face.beside[k]].is_there) continue;
      rim_[n_rim_++] = {face.vertices[k], face.vertices[(k + 1) % 3], face.beside[k]};
    }
  }
  // one loop: each vertex of the rim begins one side, and from the first all are passed
  std::fill_n(starts_.begin(), n_vertices_, std::int16_t{-1});
  for (int i = 0; i < n_rim_; ++i) {
    if (starts_[rim_[i].start] >= 0) return false;
    starts_[rim_[i].start] = static_cast<std::int16_t>(i);
  }
  int length = 0;
  int at = 0;
  do {
    at = starts_[rim_[at].end];
    ++length;
  } while (at > 0 && length <= n_rim_);
  return at == 0 && length == n_rim_ && n_rim_ >= 3;
}

bool InnerHull::grow(const Vec3& w, int seed) {
  if (n_vertices_ == kVertices) return false;
  constexpr double kAll = std::numeric_limits<double>::infinity();
  for (const double height : {rounding_, 1e2 * rounding_, 1e4 * rounding_, kAll}) {
    if (gather(w, seed, height)) break;
    for (int i = 0; i < n_seen_; ++i) faces_[seen_[i]].is_there = true;
  }
  const int apex = n_vertices_++;
  vertices_[apex] = w;
  for (int i = 0; i < n_seen_; ++i) free_[n_free_++] = seen_[i];
  for (int i = 0; i < n_rim_; ++i) {
    const int f = fresh_face();
    set(f, rim_[i].start, rim_[i].end, apex);
    starts_[rim_[i].start] = static_cast<std::int16_t>(f);
    Face& beyond = faces_[rim_[i].beyond];
    for (int k = 0; k < 3; ++k) {
      const bool is_this =
          beyond.vertices[k] == rim_[i].end && beyond.vertices[(k + 1) % 3] == rim_[i].start;
      if (is_this) beyond.beside[k] = static_cast<std::int16_t>(f);
    }
    faces_[f].beside[0] = rim_[i].beyond;
  }
  for (int i = 0; i < n_rim_; ++i) {
    const std::int16_t here = starts_[rim_[i].start];
    const std::int16_t next = starts_[rim_[i].end];
    faces_[here].beside[1] = next;
    faces_[next].beside[2] = here;
  }
  return true;
}

}  // namespace scree
