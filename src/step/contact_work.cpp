#include "contact_work.hpp"

#include <algorithm>
#include <array>

namespace scree {
namespace {

constexpr double kOthers = 0.6 + 50 * 0.0125;  ///< us, of rows and sweeps
constexpr double kOfBalls = 0.11;              ///< us, of the search for a contact
constexpr double kOfPlane = 0.5;  ///< us, of the search, of any shape but a ball and a plane
constexpr double kOfMesh = 1.1;   ///< us, of the search, of a ball and a mesh
/// us, of a ball and a shape that knows no nearest point: half of the pairs in a bed half of balls
/// and half of superellipsoids, whose contacts take 7.3 in the mean.
constexpr double kOfSearch = 6.5;

/// Microseconds of the search for a contact of a body with others of its kind. Kinds that are not
/// named take as long as two cylinders.
constexpr std::array<double, kShapeTypes> kOfKind = [] {
  std::array<double, kShapeTypes> search;
  search.fill(7.6);
  search[kNumberOf<Sphere>] = kOfBalls;
  search[kNumberOf<Plane>] = kOfBalls;
  search[kNumberOf<HollowCylinder>] = kOfBalls;
  search[kNumberOf<HollowCone>] = kOfBalls;
  search[kNumberOf<Orifice>] = kOfBalls;
  search[kNumberOf<Capsule>] = 0.6;
  search[kNumberOf<Ellipsoid>] = 0.7;
  search[kNumberOf<Cluster>] = 1.6;
  search[kNumberOf<Clump>] = 1.2;
  search[kNumberOf<Box>] = 1.9;
  search[kNumberOf<Polyhedron>] = 2.2;
  search[kNumberOf<Ring>] = 8.7;
  search[kNumberOf<Cone>] = 14.0;
  search[kNumberOf<Superellipsoid>] = 16.3;
  return search;
}();

double search_with_ball(const Shape& other) {
  if (other.is<Mesh>()) return kOfMesh;
  return other.is<Superellipsoid>() ? kOfSearch : kOfBalls;
}

double search(const Shape& a, const Shape& b) {
  if (a.is<Sphere>()) return search_with_ball(b);
  if (b.is<Sphere>()) return search_with_ball(a);
  if (a.is<Plane>() || b.is<Plane>()) return kOfPlane;
  return std::max(kOfKind[a.number()], kOfKind[b.number()]);
}

}  // namespace

double contact_work(const Shape& a, const Shape& b) {
  return (search(a, b) + kOthers) / (kOfBalls + kOthers);
}

}  // namespace scree
