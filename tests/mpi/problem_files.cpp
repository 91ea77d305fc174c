// ranks: 1 2 4
/// Contact problems that a run writes: the same whatever the number of ranks but for the order of
/// contacts and bodies, and with the same solution; and a step that is refused leaves the bodies
/// alone.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "scree/io/fclib/fclib.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "support/simulate.hpp"
#include "support/temporary_folder.hpp"

namespace scree::problem_files_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPile = R"(
time: {dt: 2e-3, end: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  stones:
    material: stone
    radii: {type: uniform, min: 0.008, max: 0.016}
    place: {type: box, low: [0, 0, 0], high: [0.12, 0.12, 0.5], count: 80, seed: 3}
    fix: [rotation_x]
    velocity: [0.2, 0.1, -1.0]
tools:
  floor: {material: stone, shape: {type: plane}, normal: [0, 0, 1]}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.12, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.12, 0], normal: [0, -1, 0]}
solver: {tolerance: 1e-11, friction: associated}  # the law whose velocities are unique
debug: {fclib: {every: 1}}  # starts are kept
)";

using Pair = std::pair<std::int64_t, std::int64_t>;

/// Numbers of a solved file by the ids that they belong to.
struct ByIds {
  std::map<std::int64_t, std::vector<double>> velocity;  ///< solution/v of each body
  std::map<Pair, std::vector<double>> bias;              ///< vectors/w of each contact
};

std::vector<double> part(const std::vector<double>& all, std::size_t i, std::size_t width) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * width);
  return {first, first + static_cast<std::ptrdiff_t>(width)};
}

ByIds by_ids(const fs::path& path) {
  const h5::File file = h5::open_file(path);
  const auto read = [&file](const char* name) { return h5::read<double>(file.get(), name); };
  const auto bodies = h5::read<std::int64_t>(file.get(), "fclib_global/info/body_id");
  const auto contacts = h5::read<std::int64_t>(file.get(), "fclib_global/info/contact_id");
  ByIds result;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    result.velocity[bodies[i]] = part(read("solution/v"), i, 6);
  }
  for (std::size_t i = 0; i < contacts.size() / 2; ++i) {
    const Pair pair(contacts[2 * i], contacts[2 * i + 1]);
    result.bias[pair] = part(read("fclib_global/vectors/w"), i, 3);
  }
  return result;
}

template <class Key>
void expect_near(const std::map<Key, std::vector<double>>& a,
                 const std::map<Key, std::vector<double>>& b, double bound) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [key, values] : a) {
    ASSERT_TRUE(b.contains(key));
    for (std::size_t k = 0; k < values.size(); ++k) {
      EXPECT_NEAR(values[k], b.at(key)[k], bound);
    }
  }
}

/// Runs @p steps on @p comm, writes the problem of the last, and gives its residual at the start.
double write_last(MPI_Comm comm, int steps, const fs::path& path) {
  Simulation simulation(comm, read_run_config(kPile, "test.yaml"));
  test::run(simulation, steps);
  const StepResult& result = simulation.result();
  FclibNotes notes{.title = "pile", .body_ids = result.body_ids, .guess = result.guess.get()};
  for (const Contact& contact : result.contacts) {
    notes.contact_ids.insert(notes.contact_ids.end(), {contact.key.id_a, contact.key.id_b});
  }
  write_fclib(result.formulated.problem, path, notes);
  return Measurer(result.formulated.problem).measure(result.guess.get()).residual;
}

/// Solves @p path from its guess to @p solved; gives the residual of that guess.
double solve(MPI_Comm comm, const fs::path& path, const fs::path& solved) {
  const ContactProblem problem = read_fclib(comm, path, FrictionLaw::associated);
  const petsc::Vector lambda = read_fclib_guess(problem, path);
  const double start = Measurer(problem).measure(lambda.get()).residual;
  SolverOptions options;
  options.stop.tolerance = 1e-11;
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  EXPECT_EQ(report.status, Status::converged) << report.reason;
  write_fclib_solution(problem, lambda.get(), path, solved);
  return start;
}

TEST(ProblemFiles, AreTheSameFromAnyNumberOfRanks) {
  const test::TemporaryFolder folder(MPI_COMM_WORLD);
  constexpr int kSteps = 40;
  const fs::path many = folder.path() / "many.hdf5";
  const double start = write_last(MPI_COMM_WORLD, kSteps, many);
  const double read_back = solve(MPI_COMM_WORLD, many, folder.path() / "many-solved.hdf5");
  EXPECT_GT(start, 1e-6) << "the guess should not be the solution already";
  EXPECT_LT(start, 0.9) << "the guess should be better than zero";
  EXPECT_NEAR(read_back, start, 1e-6 * start);
  if (rank_of(MPI_COMM_WORLD) > 0) return;

  const fs::path one = folder.path() / "one.hdf5";
  write_last(MPI_COMM_SELF, kSteps, one);
  solve(MPI_COMM_SELF, one, folder.path() / "one-solved.hdf5");
  const ByIds a = by_ids(folder.path() / "many-solved.hdf5");
  const ByIds b = by_ids(folder.path() / "one-solved.hdf5");
  EXPECT_EQ(a.velocity.size(), 80U);
  EXPECT_GT(a.bias.size(), 60U);
  expect_near(a.velocity, b.velocity, 1e-6);  // m/s
  expect_near(a.bias, b.bias, 1e-6);
}

/// Where they are not kept, starts of steps that were not solved are made again.
TEST(ProblemFiles, OfUnsolvedStepsKnowWhereSolvesStarted) {
  std::vector<std::vector<double>> starts;
  for (const char* every : {"debug.fclib.every=0", "debug.fclib.every=1"}) {
    // sums over ranks are not the same bit for bit from run to run
    Simulation simulation(MPI_COMM_SELF, read_run_config(kPile, "test.yaml",
                                                         {every, "solver.max_iterations=3",
                                                          "solver.on_not_converged=continue"}));
    test::run(simulation, 60);
    const StepResult& result = simulation.result();
    ASSERT_NE(result.impact.report.status, Status::converged);
    ASSERT_TRUE(result.guess);
    const petsc::ConstView guess(result.guess.get());
    starts.emplace_back(guess.span().begin(), guess.span().end());
  }
  EXPECT_EQ(starts[0], starts[1]);
}

/// Moments' rows get their length from N as a whole, R included, in the run as from the file.
TEST(ProblemFiles, OfSoftRollingGrainsAreMeasuredAsInTheRun) {
  const test::TemporaryFolder folder(MPI_COMM_WORLD);
  const fs::path path = folder.path() / "soft.hdf5";
  Simulation simulation = test::simulation(
      kPile, {"materials.stone.young_modulus=1e6", "friction.0.rolling=1e-3", "time.dt=1e-3"});
  test::run(simulation, 80);
  const ContactProblem& problem = simulation.result().formulated.problem;
  EXPECT_GT(max_over_ranks(MPI_COMM_WORLD, problem.compliance.size()), 0U);
  write_fclib(problem, path, {.guess = simulation.result().guess.get()});
  const ContactProblem back = read_fclib(MPI_COMM_WORLD, path, FrictionLaw::associated);
  const double in_run = Measurer(problem).measure(simulation.result().guess.get()).residual;
  const petsc::Vector guess = read_fclib_guess(back, path);
  EXPECT_GT(in_run, 1e-6) << "the guess should not be the solution already";
  EXPECT_NEAR(Measurer(back).measure(guess.get()).residual, in_run, 1e-9 * in_run);
}

/// Grains so light that the inverse of their mass is beyond the range of numbers.
TEST(ProblemFiles, AStepThatIsNotFiniteDoesNotReachTheBodies) {
  Simulation simulation = test::simulation(kPile, {"materials.stone.density=1e-304"});
  try {
    simulation.step();
    ADD_FAILURE() << "the step was taken";
  } catch (const StepRefused& refused) {
    const std::string text = refused.what();
    EXPECT_NE(text.find("step 1 "), std::string::npos) << text;
    EXPECT_NE(text.find("is not finite"), std::string::npos) << text;
    EXPECT_NE(text.find("body "), std::string::npos) << text;
  }
  const Store& store = simulation.store();
  EXPECT_EQ(simulation.n_steps(), 0);
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    EXPECT_EQ(store.velocity[i], Vec3(0.2, 0.1, -1.0));
    EXPECT_TRUE(store.position[i].allFinite());
    EXPECT_LT(store.position[i].norm(), 1.0);
  }
}

/// A failed write, and not a fault of the user's files; nothing of it stays.
TEST(ProblemFiles, WithAnInverseMassThatIsNotFiniteIsNotWritten) {
  const test::TemporaryFolder folder(MPI_COMM_WORLD);
  const fs::path path = folder.path() / "light.hdf5";
  Simulation simulation = test::simulation(kPile, {"materials.stone.density=1e-304"});
  EXPECT_THROW(simulation.step(), StepRefused);
  EXPECT_THROW(write_fclib(simulation.result().formulated.problem, path, {}), Failure);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(ProblemFiles, AbortLeavesTheBodiesAlone) {
  Simulation simulation = test::simulation(
      kPile, {"solver.on_not_converged=abort", "solver.method=pgj", "solver.max_iterations=3"});
  Store before;
  bool refused = false;
  for (int i = 0; i < 200 && !refused; ++i) {
    before = simulation.store();
    try {
      simulation.step();
    } catch (const StepRefused&) {
      refused = true;
      EXPECT_EQ(simulation.result().clock.step, i + 1);
      EXPECT_EQ(simulation.n_steps(), i);
    }
  }
  ASSERT_TRUE(refused);
  std::map<std::int64_t, Vec3> velocity;  // grains may have migrated to this rank
  for (std::size_t i = 0; i < before.id.size(); ++i) velocity[before.id[i]] = before.velocity[i];
  const Store& store = simulation.store();
  int compared = 0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    const auto known = velocity.find(store.id[i]);
    if (known == velocity.end()) continue;
    EXPECT_EQ(store.velocity[i], known->second);
    ++compared;
  }
  EXPECT_GT(sum_over_ranks(MPI_COMM_WORLD, compared), 40);
}

}  // namespace
}  // namespace scree::problem_files_test
