#include "scree/geometry/hulls/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mass_properties.hpp"
#include "quickhull.hpp"
#include "scree/base/check.hpp"
#include "scree/geometry/hulls/stored_hull.hpp"

namespace scree {
namespace {

using Loops = std::vector<std::vector<std::int32_t>>;

constexpr double kOnePlane = 1e-7;  // of the extent: the rounding of single precision
constexpr double kThinnest = 1e-3;  // thickness over extent
constexpr double kNoVolume = 1e-9;  // the same: nothing but rounding

[[noreturn]] void refuse(std::string_view name, std::string_view problem, std::string_view remedy) {
  throw InputError(fmt::format("{}: {}; {}", name, problem, remedy));
}

/// The point farthest from the middle, by @p distance.
template <class Distance>
const Vec3& farthest(std::span<const Vec3> points, const Distance& distance) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const Vec3& p, const Vec3& q) { return distance(p) < distance(q); });
}

/// Extents along a direction from the first point to the farthest, across it, and across both.
Vec3 extents(std::span<const Vec3> points) {
  const Vec3 origin = points[0];
  const Vec3 start = farthest(points, [&](const Vec3& p) { return (p - origin).norm(); });
  const Vec3 end = farthest(points, [&](const Vec3& p) { return (p - start).norm(); });
  const Vec3 along = (end - start).stableNormalized();
  const auto across = [&](const Vec3& p) -> Vec3 {
    return (p - start) - along.dot(p - start) * along;
  };
  const Vec3 side = across(farthest(points, [&](const Vec3& p) { return across(p).norm(); }));
  const Vec3 thin = along.cross(side.stableNormalized());
  double least = 0.0;
  double most = 0.0;
  for (const Vec3& p : points) {
    least = std::min(least, thin.dot(p - start));
    most = std::max(most, thin.dot(p - start));
  }
  return {(end - start).norm(), side.norm(), most - least};
}

/// @throws InputError
void check_points(std::span<const Vec3> points, std::string_view name) {
  if (points.size() < 4) {
    refuse(name, fmt::format("{} points have no volume", points.size()), "give at least 4");
  }
  for (const Vec3& p : points) {
    if (p.allFinite()) continue;
    refuse(name, fmt::format("the point ({}, {}, {}) is not finite", p.x(), p.y(), p.z()),
           "correct or remove it");
  }
  const Vec3 size = extents(points);
  const double thinnest = std::min(size.y(), size.z());
  if (!(thinnest > kNoVolume * size.x())) {
    refuse(name, "its points lie in a plane, on a line or in one place: a body of no volume",
           "give points of a solid");
  }
  if (thinnest < kThinnest * size.x()) {
    refuse(name,
           fmt::format("it is {:g} m long and {:g} m thick, beyond 1:1000", size.x(), thinnest),
           "give a thicker body");
  }
}

/// Removes points that no loop names, and numbers the others anew.
std::vector<Vec3> compact(std::span<const Vec3> points, Loops& loops) {
  std::vector<std::int32_t> number(points.size(), -1);
  std::vector<Vec3> vertices;
  for (std::vector<std::int32_t>& loop : loops) {
    for (std::int32_t& i : loop) {
      if (number[i] < 0) {
        number[i] = static_cast<std::int32_t>(vertices.size());
        vertices.push_back(points[i]);
      }
      i = number[i];
    }
  }
  return vertices;
}

/// Normal and area of a polygon that is flat to rounding (Newell).
Vec3 area_vector(const Hull& hull, std::span<const std::int32_t> loop) {
  const Vec3& origin = hull.vertices[loop[0]];
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 2; k < loop.size(); ++k) {
    twice += (hull.vertices[loop[k - 1]] - origin).cross(hull.vertices[loop[k]] - origin);
  }
  return 0.5 * twice;
}

void add_faces(Hull& hull, const Loops& loops) {
  for (const std::vector<std::int32_t>& loop : loops) {
    const Vec3 normal = area_vector(hull, loop).stableNormalized();
    double offset = 0.0;
    for (const std::int32_t i : loop) offset += normal.dot(hull.vertices[i]);
    offset /= static_cast<double>(loop.size());
    for (const std::int32_t i : loop) {
      const double off = normal.dot(hull.vertices[i]) - offset;
      hull.flatness = std::max(hull.flatness, std::abs(off));
    }
    const auto begin = static_cast<std::int32_t>(hull.loops.size());
    hull.loops.insert(hull.loops.end(), loop.begin(), loop.end());
    hull.faces.push_back({normal, offset, begin, static_cast<std::int32_t>(hull.loops.size())});
  }
}

/// Pairs the sides of the faces. Returns whether each has exactly one partner.
bool add_edges(Hull& hull) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> open;
  hull.loop_edges.resize(hull.loops.size());
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto loop = hull.loop(hull.faces[f]);
    const auto face = static_cast<std::int32_t>(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::int32_t start = loop[k];
      const std::int32_t end = loop[(k + 1) % loop.size()];
      const auto partner = open.find({end, start});
      std::int32_t edge = static_cast<std::int32_t>(hull.edges.size());
      if (partner != open.end()) {
        edge = partner->second;
        hull.edges[edge].right = face;
        open.erase(partner);
      } else {
        if (!open.insert({{start, end}, edge}).second) return false;
        hull.edges.push_back({start, end, face, -1});
      }
      hull.loop_edges[hull.faces[f].begin + k] = edge;
    }
  }
  return open.empty() && hull.vertices.size() + hull.faces.size() == hull.edges.size() + 2;
}

void add_neighbours(Hull& hull) {
  std::vector<std::vector<std::int32_t>> of(hull.vertices.size());
  for (const Hull::Edge& edge : hull.edges) {
    of[edge.start].push_back(edge.end);
    of[edge.end].push_back(edge.start);
  }
  hull.neighbours_begin.push_back(0);
  for (const std::vector<std::int32_t>& ends : of) {
    hull.neighbours.insert(hull.neighbours.end(), ends.begin(), ends.end());
    hull.neighbours_begin.push_back(static_cast<std::int32_t>(hull.neighbours.size()));
  }
}

/// Makes faces, edges and radii of a hull that has its vertices. Returns whether the faces close.
bool complete(Hull& hull, const Loops& loops) {
  add_faces(hull, loops);
  if (!add_edges(hull)) return false;
  add_neighbours(hull);
  hull.bounding_radius = 0.0;
  for (const Vec3& p : hull.vertices)
    hull.bounding_radius = std::max(hull.bounding_radius, p.norm());
  hull.inscribed_radius = hull.bounding_radius;
  for (const Hull::Face& face : hull.faces) {
    hull.inscribed_radius = std::min(hull.inscribed_radius, face.offset);
  }
  return true;
}

/// The hull with the given faces, moved to its centre of mass and principal axes. Returns whether
/// the faces close.
bool build(std::span<const Vec3> vertices, const Loops& loops, Hull& hull) {
  const MassProperties mass = mass_properties(vertices, loops);
  const Mat3 axes = principal_axes(mass.covariance);
  const Vec3 spread = (axes.transpose() * mass.covariance * axes).diagonal();
  for (const Vec3& p : vertices) hull.vertices.push_back(axes.transpose() * (p - mass.centre));
  hull.volume = mass.size;
  hull.inertia_per_mass = Vec3::Constant(spread.sum()) - spread;
  hull.in_file = {mass.centre, Quat(axes)};
  return complete(hull, loops);
}

/// Whether the loops are of vertices that there are, and the numbers can be those of a solid.
bool is_sound(const StoredHull& stored) {
  const auto n = static_cast<std::int32_t>(stored.vertices.size());
  const auto is_vertex = [n](std::int32_t i) { return i >= 0 && i < n; };
  return n <= static_cast<std::int32_t>(kMaxFeatures) && stored.volume > 0.0 &&
         std::isfinite(stored.volume) && (stored.inertia_per_mass.array() > 0.0).all() &&
         stored.inertia_per_mass.allFinite() &&
         std::ranges::all_of(stored.vertices, [](const Vec3& p) { return p.allFinite(); }) &&
         std::ranges::all_of(stored.loops, [&](const std::vector<std::int32_t>& loop) {
           return loop.size() >= 3 && std::ranges::all_of(loop, is_vertex);
         });
}

}  // namespace

Hull hull_of(std::span<const Vec3> points, std::string_view name) {
  check_points(points, name);
  // Qhull's tolerances are absolute, and it squares coordinates: about the first point, over the
  // extent.
  const double extent = extents(points).x();
  std::vector<Vec3> scaled;
  for (const Vec3& p : points) scaled.push_back((p - points[0]) / extent);
  HullFaces faces = quickhull(scaled, kOnePlane);
  if (!faces.fault.empty()) {
    refuse(name, fmt::format("no convex hull of its points ({})", faces.fault),
           "check them, or give a coarser mesh");
  }
  const std::vector<Vec3> vertices = compact(points, faces.loops);
  Hull hull;
  if (!build(vertices, faces.loops, hull)) {
    refuse(name, "the faces of the convex hull of its points do not close", "give a coarser mesh");
  }
  if (hull.vertices.size() + hull.edges.size() + hull.faces.size() > kMaxFeatures) {
    refuse(
        name,
        fmt::format("its convex hull has {} vertices, {} edges and {} faces, more than {} in all",
                    hull.vertices.size(), hull.edges.size(), hull.faces.size(), kMaxFeatures),
        "give a coarser mesh");
  }
  return hull;
}

Hull cuboid(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  const Loops loops = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                       {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
  Hull hull;
  build(corners, loops, hull);
  return hull;
}

StoredHull stored(const Hull& hull) {
  StoredHull stored{.vertices = hull.vertices,
                    .loops = {},
                    .volume = hull.volume,
                    .inertia_per_mass = hull.inertia_per_mass,
                    .in_file = hull.in_file};
  for (const Hull::Face& face : hull.faces) {
    const auto loop = hull.loop(face);
    stored.loops.emplace_back(loop.begin(), loop.end());
  }
  return stored;
}

Hull restored(const StoredHull& stored, std::string_view name) {
  Hull hull;
  hull.vertices = stored.vertices;
  hull.volume = stored.volume;
  hull.inertia_per_mass = stored.inertia_per_mass;
  hull.in_file = stored.in_file;
  if (!is_sound(stored) || !complete(hull, stored.loops) || !(hull.inscribed_radius > 0.0)) {
    refuse(name, "is no closed solid about its centre of mass",
           "give a file that scree has written");
  }
  return hull;
}

}  // namespace scree
