// ranks: 1
/// Random pairs that meet with springs and relcp (step/pair_springs.hpp): each step of each is
/// solved. SCREE_RANDOM_PAIRS: pairs of each shape.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

#include "scree/contact/penetration.hpp"
#include "support/impulses.hpp"
#include "support/simulate.hpp"
#include "support/step_figures.hpp"

namespace scree::test::relcp_pairs_test {
namespace {

constexpr double kDt = 2e-3;
constexpr double kTolerance = 1e-5;

int number_of_pairs() {
  constexpr int kPairs = 300;
  const char* given = std::getenv("SCREE_RANDOM_PAIRS");
  return given == nullptr ? kPairs : std::atoi(given);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  std::string vector(double size) {
    return fmt::format("[{}, {}, {}]", between(-size, size), between(-size, size),
                       between(-size, size));
  }

 private:
  std::mt19937_64 engine_;
};

/// Pairs that fly at each other, turning, each far from all others.
std::string pairs_that_meet(const std::string& shape, double stiffness, double mu, int count,
                            unsigned seed) {
  Random random(seed);
  std::string bodies;
  for (int k = 0; k < count; ++k) {
    for (const int side : {-1, 1}) {
      bodies += fmt::format(R"(
  g{}{}:
    material: stone
    shape: {}
    orientation: {{axis: {}, angle: {}}}
    velocity: [0, 0, {}]
    angular_velocity: {}
    place: {{type: points, positions: [[{}, {}, {}]]}})",
                            side < 0 ? "a" : "b", k, shape, random.vector(1.0),
                            random.between(0.0, 3.0), -side * random.between(0.2, 2.0),
                            random.vector(25.0), 0.2 * k + random.between(-0.01, 0.01),
                            random.between(-0.01, 0.01), side * 0.026);
    }
  }
  return fmt::format(R"(
time: {{dt: {}, end: 1}}
gravity: [0, 0, 0]
contact: {{constraints: relcp, overlap_tolerance: {}, max_compression: 10}}
solver: {{tolerance: 1e-6}}
materials: {{stone: {{density: 2500}}}}
friction: [{{between: [stone, stone], mu: {}, stiffness: {}}}]
bodies:{}
)",
                     kDt, kTolerance, mu, stiffness, bodies);
}

struct Spread {
  int points = 0;
  double force = 0.0;  ///< N
};

/// The overlap of the pairs is that of springs under their loads: of one spring its force over its
/// stiffness, of points of the start that share it at most their number times that.
void expect_compressed(Simulation& simulation, const StepResult& result, double stiffness) {
  std::map<PairKey, Spread> bears;
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    Spread& pair = bears[pair_of(result.contacts[i].key)];
    if (result.contacts[i].key.recursion == 0) ++pair.points;
    pair.force += impulse_on_a(result, i).norm() / result.clock.dt;
  }
  for (const Contact& contact : simulation.find_contacts()) {
    const double left = kTolerance * smaller_radius(simulation.store(), contact.a, contact.b);
    const Spread pair = bears[pair_of(contact.key)];
    const double allowed = 1.1 * std::max(pair.points, 1) * pair.force / stiffness + left + 1e-10;
    EXPECT_LE(-contact.gap, allowed) << contact.key.id_a << " and " << contact.key.id_b;
  }
}

void expect_solved(const std::string& shape) {
  constexpr int kAtOnce = 50;
  std::int64_t recursions = 0;
  const int count = number_of_pairs();
  for (int first = 0; first < count; first += kAtOnce) {
    const unsigned seed = static_cast<unsigned>(first + 1);
    const double stiffness = first / kAtOnce % 2 == 0 ? 3e3 : 3e5;
    const double mu = first / kAtOnce % 3 == 0 ? 0.3 : 0.0;
    Simulation pairs =
        simulation(pairs_that_meet(shape, stiffness, mu, std::min(kAtOnce, count - first), seed));
    while (pairs.n_steps() < 30) {
      const StepResult& result = pairs.step();
      EXPECT_EQ(result.impact.report.status, Status::converged)
          << shape << ", seed " << seed << ", step " << result.clock.step << ": "
          << result.impact.report.reason << " overlap " << result.overlap.largest;
      EXPECT_LE(result.overlap.largest, kTolerance);
      recursions += count_of(result, "recursions");
      expect_compressed(pairs, result, stiffness);
    }
  }
  EXPECT_GT(recursions, 0);
}

TEST(RelcpPairs, SoftCapsulesAreSolved) {
  expect_solved("{type: capsule, radius: 0.006, length: 0.03}");
}

TEST(RelcpPairs, SoftBoxesAreSolved) {
  expect_solved("{type: box, size: [0.03, 0.02, 0.012]}");
}

TEST(RelcpPairs, SoftRingsAreSolved) {
  expect_solved("{type: ring, major_radius: 0.02, minor_radius: 0.004}");
}

constexpr const char* kAlongTheirLength = R"(
time: {dt: 2e-3, end: 0.05}
gravity: [0, 0, 0]
contact: {constraints: relcp, overlap_tolerance: 1e-5}
solver: {tolerance: 1e-6}
materials: {stone: {density: 2500, young_modulus: 1e8, poisson_ratio: 0.3}}
friction: [{between: [stone, stone], mu: 0}]
bodies:
  a:
    material: stone
    shape: {type: capsule, radius: 0.006, length: 0.03}
    orientation: {axis: [1.901, 0.479, -1.576], angle: 2.593}
    velocity: [0, 0, -1]
    angular_velocity: [6.96, -18.83, 18.14]
    place: {type: points, positions: [[0, 0, 0.02]]}
  b:
    material: stone
    shape: {type: capsule, radius: 0.006, length: 0.03}
    orientation: {axis: [-0.464, -0.479, -0.721], angle: 2.486}
    velocity: [0, 0, 1]
    angular_velocity: [3.2, -7.61, 2.01]
    place: {type: points, positions: [[0, 0, -0.02]]}
)";

/// Two capsules that lie almost along each other: a constraint at one end brings them together at
/// the other. Where the later took the earlier's place, they went on in turns.
TEST(RelcpPairs, CapsulesThatMeetAlongTheirLengthAreSolved) {
  Simulation pair = simulation(kAlongTheirLength);
  std::int64_t most = 0;
  for (int k = 0; k < 25; ++k) {
    const StepResult& result = pair.step();
    EXPECT_EQ(result.impact.report.status, Status::converged) << result.impact.report.reason;
    EXPECT_LE(result.overlap.largest, 1e-5);
    most = std::max(most, count_of(result, "recursions"));
  }
  EXPECT_GT(most, 0);
  EXPECT_LE(most, 15);
}

/// All solves of a step have the limit of time together: none begins when it has passed.
TEST(RelcpPairs, TheLimitOfTimeIsThatOfAllRecursions) {
  Simulation pair = simulation(kAlongTheirLength, {"solver.max_seconds=1e-9"});
  int late = 0;
  for (int k = 0; k < 25; ++k) {
    const StepResult& result = pair.step();
    EXPECT_EQ(count_of(result, "recursions"), 0);
    const Status status = result.impact.report.status;
    EXPECT_TRUE(status == Status::converged || status == Status::time_limit);
    if (status == Status::time_limit) ++late;
  }
  EXPECT_GT(late, 0);
}

}  // namespace
}  // namespace scree::test::relcp_pairs_test
