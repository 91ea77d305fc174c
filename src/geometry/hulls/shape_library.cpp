#include "scree/geometry/hulls/shape_library.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Share of the bounding radius by which machines may round points differently, and nobody sees.
constexpr double kRounding = 1e-12;

bool same(const Hull& a, const Hull& b) {
  if (&a == &b) return true;
  const double near = kRounding * (a.bounding_radius + a.in_file.position.norm());
  return std::equal(a.vertices.begin(), a.vertices.end(), b.vertices.begin(), b.vertices.end(),
                    [&](const Vec3& p, const Vec3& q) {
                      return (a.in_file.to_world(p) - b.in_file.to_world(q)).norm() <= near;
                    });
}

/// Whether two parts of clumps are alike; polyhedra are where they have the same hull.
bool same(const ClumpParts::Part& a, const ClumpParts::Part& b, const ShapeLibrary& library) {
  if (a.shape.number() != b.shape.number()) return false;
  const auto* hull = a.shape.get_if<Polyhedron>();
  if (hull != nullptr && hull->handle != b.shape.get<Polyhedron>().handle) return false;
  constexpr double kAlike = 1e-9;  // machines round angles in files differently
  const double near = kAlike * (a.bounding_radius + a.pose.position.norm());
  const Box3 box_a = box_of(a.shape, Pose{}, library);
  const Box3 box_b = box_of(b.shape, Pose{}, library);
  return (box_a.high - box_b.high).norm() <= near && (box_a.low - box_b.low).norm() <= near &&
         std::abs(volume(a.shape, library) - volume(b.shape, library)) <=
             kAlike * volume(a.shape, library) &&
         (a.pose.position - b.pose.position).norm() <= near &&
         std::abs(a.pose.orientation.dot(b.pose.orientation)) >= 1.0 - kAlike;
}

}  // namespace

std::int32_t ShapeLibrary::handle_of(const Hull& hull) const {
  const auto known = std::find_if(hulls_.begin(), hulls_.end(),
                                  [&hull](const auto& one) { return same(*one, hull); });
  return known == hulls_.end() ? -1 : static_cast<std::int32_t>(known - hulls_.begin());
}

std::int32_t ShapeLibrary::add(std::shared_ptr<const Hull> hull) {
  const std::int32_t known = handle_of(*hull);
  if (known >= 0) return known;
  hulls_.push_back(std::move(hull));
  return size() - 1;
}

std::int32_t ShapeLibrary::add(BallCluster cluster) {
  clusters_.push_back(std::move(cluster));
  return static_cast<std::int32_t>(clusters_.size()) - 1;
}

std::int32_t ShapeLibrary::add(ClumpParts clump, const ShapeLibrary& from) {
  for (ClumpParts::Part& part : clump.parts) {
    if (!part.shape.is<Polyhedron>()) continue;
    auto& polyhedron = part.shape.get<Polyhedron>();
    polyhedron.handle = add(from.hulls_[polyhedron.handle]);
  }
  const auto known = std::ranges::find_if(clumps_, [&](const auto& one) {
    return std::ranges::equal(one->parts, clump.parts,
                              [this](const auto& a, const auto& b) { return same(a, b, *this); });
  });
  const auto handle = static_cast<std::int32_t>(known - clumps_.begin());
  if (known == clumps_.end())
    clumps_.push_back(std::make_shared<const ClumpParts>(std::move(clump)));
  return handle;
}

std::int32_t ShapeLibrary::add(std::shared_ptr<const SearchableMesh> mesh) {
  const auto known = std::ranges::find_if(meshes_, [&mesh](const auto& one) {
    return one == mesh || (one->mesh.vertices == mesh->mesh.vertices &&
                           one->mesh.triangles == mesh->mesh.triangles);
  });
  const auto handle = static_cast<std::int32_t>(known - meshes_.begin());
  if (known == meshes_.end()) meshes_.push_back(std::move(mesh));
  return handle;
}

}  // namespace scree
