#pragma once

/// Scenes of a few balls of one size and material, for tests against closed forms.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "scree/base/parallel.hpp"
#include "support/simulate.hpp"

namespace scree::test {

inline constexpr double kBallRadius = 0.05;
inline constexpr double kBallGravity = 10.0;
inline const double kBallMass = 2600.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(kBallRadius, 3);
inline const double kBallInertia = 0.4 * kBallMass * kBallRadius * kBallRadius;

inline std::string text(const Vec3& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

/// One ball as a group of its own; ids are in the order of groups.
struct BallSpec {
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();
  std::string fix = "";  ///< words of the key
};

struct BallScene {
  std::string pair = "mu: 0.3";  ///< of grains with grains and with the tools of their material
  std::vector<BallSpec> balls = {};
  std::string bare = "mu: 0.3";  ///< of grains with the material bare
  std::string tools = "  floor: {material: stone, shape: {type: plane}}\n";
  Vec3 gravity = {0.0, 0.0, -kBallGravity};
  double dt = 1e-3;
  std::string solver = "tolerance: 1e-12";
  std::string soft = "";  ///< further keys of the material stone, each after a comma
  std::string rest = "";  ///< further keys of the run

  std::string yaml() const {
    std::string bodies;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      bodies += fmt::format(
          "  ball{}: {{material: stone, radii: {{type: list, values: [{}]}}, place: {{type: "
          "points, positions: [{}]}}, velocity: {}, angular_velocity: {}, fix: [{}]}}\n",
          i, kBallRadius, text(balls[i].position), text(balls[i].velocity), text(balls[i].spin),
          balls[i].fix);
    }
    return fmt::format(
        "time: {{dt: {:.17g}, end: 1e3}}\n"
        "gravity: {}\n"
        "materials: {{stone: {{density: 2600{}}}, bare: {{density: 2600}}}}\n"
        "friction: [{{between: [stone, stone], {}}}, {{between: [stone, bare], {}}}]\n"
        "bodies:\n{}tools:\n{}solver: {{{}}}\n{}",
        dt, text(gravity), soft, pair, bare, bodies, tools, solver, rest);
  }
};

inline Simulation simulation(const BallScene& scene, MPI_Comm comm = MPI_COMM_WORLD) {
  return Simulation(comm, read_run_config(scene.yaml(), "test.yaml"));
}

struct BallState {
  Vec3 position;
  Vec3 velocity;
  Vec3 spin;
};

/// The states of the balls with the ids 0 ... @p count - 1, on every rank. Collective.
inline std::vector<BallState> states(const Simulation& simulation, std::size_t count) {
  std::vector<double> sums(9 * count, 0.0);
  const Store& store = simulation.store();
  for (std::int32_t k = store.first_owned(); k < store.end_owned(); ++k) {
    Eigen::Map<Eigen::Vector<double, 9>>(&sums[9 * static_cast<std::size_t>(store.id[k])])
        << store.position[k],
        store.velocity[k], store.angular_velocity[k];
  }
  sum_over_ranks(simulation.comm(), sums);
  std::vector<BallState> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = {Vec3(&sums[9 * i]), Vec3(&sums[9 * i + 3]), Vec3(&sums[9 * i + 6])};
  }
  return all;
}

inline BallState state(const Simulation& simulation) {
  return states(simulation, 1)[0];
}

}  // namespace scree::test
