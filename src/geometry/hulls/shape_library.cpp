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

/// Where a part is in the frame in which the clump was given: axes of a body that looks alike about
/// several are as rounding has them.
Pose as_given(const ClumpParts& clump, std::size_t i) {
  const Pose& own = clump.parts[i].pose;
  return {clump.in_file.to_world(own.position), clump.in_file.orientation * own.orientation};
}

/// Whether two clumps have parts that are alike; polyhedra are where they have the same hull.
bool same(const ClumpParts& a, const ClumpParts& b, const ShapeLibrary& library) {
  constexpr double kAlike = 1e-9;  // machines round angles in files differently
  if (a.parts.size() != b.parts.size()) return false;
  const double near = kAlike * (a.bounding_radius + a.in_file.position.norm());
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const Shape& one = a.parts[i].shape;
    const Shape& other = b.parts[i].shape;
    if (one.number() != other.number()) return false;
    const auto* hull = one.get_if<Polyhedron>();
    if (hull != nullptr && hull->handle != other.get<Polyhedron>().handle) return false;
    const Box3 box_a = box_of(one, Pose{}, library);
    const Box3 box_b = box_of(other, Pose{}, library);
    const double v = volume(one, library);
    const Pose pose_a = as_given(a, i);
    const Pose pose_b = as_given(b, i);
    const Eigen::Vector4d turn_a = pose_a.orientation.coeffs();
    const Eigen::Vector4d turn_b = pose_b.orientation.coeffs();
    const bool is_same = (box_a.high - box_b.high).norm() <= near &&
                         (box_a.low - box_b.low).norm() <= near &&
                         std::abs(v - volume(other, library)) <= kAlike * v &&
                         (pose_a.position - pose_b.position).norm() <= near &&
                         std::min((turn_a - turn_b).norm(), (turn_a + turn_b).norm()) <= kAlike;
    if (!is_same) return false;
  }
  return true;
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
  const auto known =
      std::ranges::find_if(clumps_, [&](const auto& one) { return same(*one, clump, *this); });
  const auto handle = static_cast<std::int32_t>(known - clumps_.begin());
  if (known == clumps_.end())
    clumps_.push_back(std::make_shared<const ClumpParts>(std::move(clump)));
  return handle;
}

std::int32_t ShapeLibrary::add(std::shared_ptr<const SearchableMesh> mesh) {
  const auto known = std::ranges::find_if(meshes_, [&mesh](const auto& one) {
    return one == mesh || (std::ranges::equal(one->mesh.vertices, mesh->mesh.vertices) &&
                           std::ranges::equal(one->mesh.facets, mesh->mesh.facets, {},
                                              &Facet::vertices, &Facet::vertices));
  });
  const auto handle = static_cast<std::int32_t>(known - meshes_.begin());
  if (known == meshes_.end()) meshes_.push_back(std::move(mesh));
  return handle;
}

}  // namespace scree
