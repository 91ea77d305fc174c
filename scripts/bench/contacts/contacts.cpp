// Time of one call of contacts_between, for each pair of shapes of about 1 m, apart by 0.1 m,
// touching at +-1e-6 m and overlapping by 0.3 m: 200 poses at random, margin 1 cm.
//
//     cmake --preset release -DSCREE_BENCHMARKS=ON && cmake --build build --target bench_contacts
//     build/scripts/bench/bench_contacts

#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/ball_cluster.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/cluster.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/geometry/shapes/ring.hpp"
#include "scree/geometry/shapes/round_hole.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "support/hulls.hpp"

namespace {

using namespace scree;

struct Named {
  std::string name;
  Shape shape;
};

struct Scene {
  ShapeLibrary library;
  std::vector<Named> shapes;

  Scene() {
    std::mt19937_64 random(1);
    shapes = {{"sphere", Sphere{0.5}},
              {"capsule", Capsule{0.3, 0.8}},
              {"ellipsoid", Ellipsoid{{0.8, 0.4, 0.4}}},
              {"ring", Ring{0.5, 0.1}},
              {"box", Box{{0.5, 0.4, 0.6}}}};
    for (const int n : {3, 13, 27}) {
      const BallCluster balls = cluster_of(Ellipsoid{{0.8, 0.4, 0.4}}, n);
      shapes.push_back({"cluster_" + std::to_string(n), Cluster{library.add(balls), 1.0}});
    }
    add("dodecahedron", test::dodecahedron());
    add("pebble_100", test::pebble(100, {1.0, 0.8, 0.6}, random));
    add("pebble_500", test::pebble(500, {1.0, 0.8, 0.6}, random));
    shapes.push_back({"cone", HollowCone{{0.5, 2.5, -1.0, 1.0}}});
    shapes.push_back({"plane", Plane{}});
  }

  void add(const std::string& name, const std::vector<Vec3>& points) {
    shapes.push_back({name, Polyhedron{library.add(hull_of(points, name)), 1.0}});
  }
};

const Scene& scene() {
  static const Scene made;
  return made;
}

using Poses = std::vector<std::pair<Pose, Pose>>;

/// Poses at random, moved along the normal to about @p gap.
Poses poses_at(double gap, const Shape& a, const Shape& b) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  const auto turn = [&] {
    return Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
  };
  Poses poses;
  for (int k = 0; k < 200; ++k) {
    Pose at_a{3.0 * vector(), turn()};
    const Pose at_b{0.1 * vector(), turn()};
    for (int pass = 0; pass < 2; ++pass) {
      const Manifold m = contacts_between(a, at_a, b, at_b, scene().library, 0.0);
      at_a.position += (gap - m.deepest().gap) * m.deepest().normal;
    }
    poses.emplace_back(at_a, at_b);
  }
  return poses;
}

bool is_wall(const Shape& shape) {
  return shape.is<Plane>() || hole_of(shape) != nullptr;
}

void run(benchmark::State& state, const Shape& a, const Shape& b, double gap) {
  const Poses poses = poses_at(gap, a, b);
  std::size_t k = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto& [at_a, at_b] = poses[k++ % poses.size()];
    benchmark::DoNotOptimize(contacts_between(a, at_a, b, at_b, scene().library, 0.01));
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const Named& a : scene().shapes) {
    for (const Named& b : scene().shapes) {
      if (&b < &a || (is_wall(a.shape) && is_wall(b.shape))) continue;
      for (const auto& [word, gap] : {std::pair{"apart", 0.1}, std::pair{"touch", 1e-6},
                                      std::pair{"overlap", -1e-6}, std::pair{"deep", -0.3}}) {
        benchmark::RegisterBenchmark((a.name + "/" + b.name + "/" + word).c_str(), run, a.shape,
                                     b.shape, gap);
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
