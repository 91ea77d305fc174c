// Processor time of contacts of grains with a mesh by FCL's tree of oriented boxes, on the bowl and
// the grains of bench_meshes: each grain, larger by the margin of contacts, against all triangles,
// up to 64 contacts with their points.
//
//     bench_meshes_fcl SHAPE TRIANGLES GRAINS      medians, as a line of JSON
//
// SHAPE: sphere, ellipsoid, capsule, box.

#include <fcl/fcl.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bowl.hpp"
#include "scree/geometry/hulls/shape_library.hpp"

using namespace scree;

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<Model> model_of(const MeshFile& file) {
  std::vector<fcl::Vector3d> points(file.points.begin(), file.points.end());
  std::vector<fcl::Triangle> triangles;
  for (const auto& t : file.triangles) {
    triangles.emplace_back(static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                           static_cast<std::size_t>(t[2]));
  }
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

std::unique_ptr<fcl::CollisionGeometryd> grown(const Shape& shape, double margin) {
  if (const auto* ball = shape.get_if<Sphere>()) {
    return std::make_unique<fcl::Sphered>(ball->radius + margin);
  }
  if (const auto* egg = shape.get_if<Ellipsoid>()) {
    const Vec3 axes = egg->axes() + Vec3::Constant(margin);
    return std::make_unique<fcl::Ellipsoidd>(axes.x(), axes.y(), axes.z());
  }
  if (const auto* capsule = shape.get_if<Capsule>()) {
    return std::make_unique<fcl::Capsuled>(capsule->radius + margin, capsule->length);
  }
  const Vec3 size = 2.0 * (shape.get<Box>().half() + Vec3::Constant(margin));
  return std::make_unique<fcl::Boxd>(size.x(), size.y(), size.z());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench_meshes_fcl SHAPE TRIANGLES GRAINS\n");
    return 2;
  }
  const MeshFile file = bench::bowl(std::atoi(argv[2]));
  double area = 0.0;
  for (const auto& t : file.triangles) {
    const Vec3& a = file.points[t[0]];
    area += 0.5 * (file.points[t[1]] - a).cross(file.points[t[2]] - a).norm();
  }
  const double radius = std::sqrt(2.0 * area / static_cast<double>(file.triangles.size()));
  const double margin = 0.1 * radius;
  const Shape shape = bench::shape_of(argv[1], radius);
  const std::unique_ptr<fcl::CollisionGeometryd> grain = grown(shape, margin);

  const std::size_t held_before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const double begin = bench::seconds();
  const std::shared_ptr<Model> model = model_of(file);
  const double built = bench::seconds() - begin;
  const std::size_t held = mallinfo2().uordblks + mallinfo2().hblkhd - held_before;

  bench::Places places;
  std::vector<Pose> near;
  const double reach = bounding_radius(shape, ShapeLibrary{});
  for (int k = 0; k < std::atoi(argv[3]); ++k) near.push_back(places.near(reach));
  std::vector<Pose> in_order = near;
  std::ranges::sort(in_order, {}, bench::row_of);
  std::size_t points = 0;
  const auto contacts = [&](const Pose& pose) {
    fcl::Transform3d at = fcl::Transform3d::Identity();
    at.linear() = pose.orientation.toRotationMatrix();
    at.translation() = pose.position;
    fcl::CollisionResultd result;
    points += fcl::collide(grain.get(), at, model.get(), fcl::Transform3d::Identity(),
                           fcl::CollisionRequestd(64, true), result);
  };
  const double near_s = bench::time_of(in_order, contacts);
  const double random_s = bench::time_of(near, contacts);
  fmt::print(
      "{{\"triangles\": {}, \"built_s\": {:.4g}, \"bytes\": {}, \"near_us\": {:.4g}, "
      "\"random_us\": {:.4g}, \"points\": {:.3g}}}\n",
      file.triangles.size(), built, held, 1e6 * near_s, 1e6 * random_s,
      static_cast<double>(points) / 10.0 / static_cast<double>(near.size()));
  return 0;
}
