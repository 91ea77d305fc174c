#pragma once

/// Random scenes for tests, the same on every rank: made whole from a seed, then handed out.

#include <cstdint>
#include <random>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/contact/own_pairs.hpp"
#include "scree/domain/exchange.hpp"
#include "scree/domain/partition.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"

namespace scree::test {

/// The options of a random scene. Grains may overlap: detection must not care.
struct SceneSpec {
  std::uint32_t seed = 1;
  int n_grains = 300;
  double smallest = 0.02;  ///< radius, m
  double largest = 0.1;
  double edge = 1.0;   ///< grains are in the cube [0, edge]^3, m
  double speed = 1.0;  ///< up to this, m/s
  int n_clusters = 0;  ///< crowd the grains around so many points; 0: spread evenly
  bool tools = true;   ///< a floor, a box that turns and a ball
  bool held = true;    ///< one grain in eleven has degrees of freedom that are held
  bool mixed =
      false;  ///< balls, ellipsoids, capsules and boxes in turn; radii are of balls of their volume
};

/// Uniform numbers that are the same with every standard library, unlike those of <random>'s
/// distributions.
class Uniform {
 public:
  explicit Uniform(std::uint32_t seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  Vec3 vector(double low, double high) {
    const double x = (*this)(low, high);
    const double y = (*this)(low, high);
    const double z = (*this)(low, high);
    return {x, y, z};
  }
  Quat rotation() {
    const Vec3 axis = vector(-1.0, 1.0);
    return Quat(Eigen::AngleAxisd((*this)(0.0, 3.0), axis.normalized()));
  }

 private:
  std::mt19937 engine_;
};

/// The @p i th of the shapes, over and over.
inline Shape shape_in_turn(int i, double radius) {
  const GrainShape shapes[] = {Ball{}, Ellipsoid{{3, 2, 1}}, Capsule{1, 3}, Box{{1, 2, 0.7}}};
  return of_size(shapes[i % 4], radius);
}

inline std::vector<Body> random_grains(const SceneSpec& spec) {
  Uniform random(spec.seed);
  std::vector<Vec3> crowds;
  for (int c = 0; c < spec.n_clusters; ++c) crowds.push_back(random.vector(0.0, spec.edge));
  std::vector<Body> grains;
  for (int i = 0; i < spec.n_grains; ++i) {
    Body body;
    body.id = 7 * (std::int64_t{1} << 32) + 3 * ((i * 37) % spec.n_grains);  // needs both id words
    body.position = random.vector(0.0, spec.edge);
    if (!crowds.empty()) {
      const Vec3& crowd = crowds[i % crowds.size()];
      body.position = crowd + 0.2 * (body.position - Vec3::Constant(0.5 * spec.edge));
    }
    body.orientation = random.rotation();
    body.velocity = random.vector(-spec.speed, spec.speed);
    body.angular_velocity = random.vector(-5.0, 5.0);
    body.shape = shape_in_turn(spec.mixed ? i : 0, random(spec.smallest, spec.largest));
    body.density = random(1000.0, 3000.0);
    body.material = i % 3;
    body.group = i % 5;
    body.fixed = spec.held && i % 11 == 0 ? static_cast<std::uint8_t>(i % 64) : std::uint8_t{0};
    grains.push_back(body);
  }
  return grains;
}

inline std::vector<Body> some_tools(const SceneSpec& spec) {
  if (!spec.tools) return {};
  Body floor;
  floor.id = kFirstToolId;
  floor.shape = Plane{};
  Body blade;
  blade.id = kFirstToolId + 1;
  blade.shape = Box{{0.05 * spec.edge, 0.3 * spec.edge, 0.2 * spec.edge}};
  blade.position = Vec3::Constant(0.4 * spec.edge);
  blade.orientation = Quat(Eigen::AngleAxisd(0.3, Vec3(1.0, 2.0, 3.0).normalized()));
  blade.velocity = {0.3, 0.0, -0.1};
  blade.angular_velocity = {0.0, 2.0, 0.5};
  blade.material = 1;
  Body ball;
  ball.id = kFirstToolId + 2;
  ball.shape = Sphere{0.15 * spec.edge};
  ball.position = Vec3::Constant(0.8 * spec.edge);
  ball.material = 2;
  return {floor, blade, ball};
}

/// The whole scene on one rank, as if there were no others.
inline Store whole_scene(const SceneSpec& spec) {
  Store store;
  for (const Body& tool : some_tools(spec)) append_tool(store, tool);
  for (const Body& grain : random_grains(spec)) append_grain(store, grain);
  return store;
}

/// This rank's share: grains are dealt out in turn, wherever they are; migrate() is to sort it out.
inline Store dealt_scene(const SceneSpec& spec, MPI_Comm comm) {
  Store store;
  for (const Body& tool : some_tools(spec)) append_tool(store, tool);
  const std::vector<Body> grains = random_grains(spec);
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (static_cast<int>(i) % size_of(comm) == rank_of(comm)) append_grain(store, grains[i]);
  }
  return store;
}

/// Cuts with equal weights and sends all grains home. Collective.
inline void send_home(Store& store, Partition& partition, Exchange& exchange) {
  partition.cut(store, std::vector<double>(store.n_owned, 1.0));
  exchange.migrate(store, partition.owners(store));
}

/// Boxes of the step, and ghosts by them: skins are no wider. Collective.
inline void bring_ghosts(Store& store, const Reach& reach, const Partition& partition,
                         Exchange& exchange) {
  update_boxes(store, reach);
  store.skin = store.box;
  exchange.ghosts(store, partition, reach.cell);
}

/// The contacts of this rank, without a list of pairs. Not collective. @pre as bring_ghosts() left
/// the store
inline ContactList own_contacts(const Store& store, const Reach& reach,
                                const Partition& partition) {
  const auto holds = [&partition](const Vec3& point) { return partition.holds(point); };
  return narrowphase(store, own_pairs(store, broadphase(store), holds), reach);
}

}  // namespace scree::test
