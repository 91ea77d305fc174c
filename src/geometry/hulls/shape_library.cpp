#include "scree/geometry/hulls/shape_library.hpp"

#include <algorithm>
#include <utility>

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
