// ranks: 1 2
/// Every method of the registry on every stored frictional problem, both laws, against a checked
/// list of solves that do not converge, and why. Problems are the project's own
/// (tests/problems/stored), and those of other codes in ../shared/fclib where that is there.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/solver/driver.hpp"
#include "support/folders.hpp"
#include "support/solver_options.hpp"

namespace scree::fclib_files_test {
namespace {

namespace fs = std::filesystem;

/// A solve that is known not to converge; when it does, the test fails: then the row is to go.
struct KnownFailure {
  std::string_view file;
  std::string_view solver;
  std::string_view law;
  int ranks;  ///< 0: any number
  std::string_view why;
};

/// "slip": the rounds on the slip (exact friction as a sequence of convex problems) have no proof
/// of convergence; here they stay at the residual given, on one rank and on two.
constexpr KnownFailure kKnownFailures[] = {
    {"balls", "ipm", "coulomb", 0, "slip"},
    {"bricks", "pgj", "coulomb", 0, "1.4e-4 after 5000 iterations, its own limit"},
    {"bricks", "pgj", "associated", 0, "1.4e-4 after 5000 iterations, its own limit"},
    {"Capsules-i100-889", "ipm", "coulomb", 0, "slip: 0.31, 276 contacts"},
    {"Capsules-i101-404", "ipm", "coulomb", 0, "slip: 0.073, 225 contacts"},
    {"Capsules-i125-1213", "ipm", "coulomb", 0, "slip: 0.30, 286 contacts"},
    {"GFC3D_TwoRods1", "ipm", "coulomb", 0, "slip: 2.0e-3, with impulses far above those needed"},
    {"NESpheres_10_1", "ipm", "coulomb", 0, "slip: 0.17, 9 contacts"},
    {"NESpheres_30_1", "ipm", "coulomb", 0, "slip: 0.018, 44 contacts"},
    {"OneObject-i100000-316", "ipm", "coulomb", 0, "slip: 9.8e-4, 25 contacts of one object"},
    {"Spheres-i099-356-679", "ipm", "coulomb", 0, "slip: 1.6e-4, 356 contacts"},
    {"Confeti-ex03-Fc3D-SBM", "kleinert", "associated", 0,
     "the published method has no start from outside the cones: 0.985 after 100 iterations"},
    {"Rover4396", "kleinert", "associated", 0, "0.129 after 100 iterations, 1 contact"},
    {"OneObject-i100000-316", "nsgs", "coulomb", 0,
     "cycles at 5e-3; Siconos stalls at 1e-3 after 6e6 sweeps; cut in three, the cycle is broken"},
};

/// The row of a solve, or null.
const KnownFailure* known_failure(std::string_view solver, std::string_view law,
                                  std::string_view file) {
  const int ranks = size_of(MPI_COMM_WORLD);
  const auto* row = std::find_if(
      std::begin(kKnownFailures), std::end(kKnownFailures), [&](const KnownFailure& known) {
        return known.file == file && known.solver == solver && known.law == law &&
               (known.ranks == 0 || known.ranks == ranks);
      });
  return row == std::end(kKnownFailures) ? nullptr : row;
}

/// The beds take long: they are for the methods that are meant for them, and for one rank.
bool is_too_large(std::string_view solver, FrictionLaw law, const std::string& file) {
  if (file.starts_with("bed") && size_of(MPI_COMM_WORLD) > 1) return true;
  if (file.starts_with("bed20k")) return !(solver == "nsgs" && law == FrictionLaw::coulomb);
  if (file.starts_with("bed5k")) {
    return solver == "pgj" || solver == "ipm" || solver == "kleinert" ||
           (solver == "apgd" && law == FrictionLaw::coulomb);
  }
  return false;
}

const fs::path kOwn = test::source_dir() / "tests/problems/stored";
const fs::path kOfOtherCodes = test::shared_dir() / "fclib";

std::vector<fs::path> problems_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool holds(const std::vector<fs::path>& files, std::string_view stem) {
  return std::any_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return file.stem() == stem; });
}

void check(const ContactProblem& problem, std::string_view solver, const std::string& file) {
  SolverOptions options = test::only(solver, 1e-4);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  const std::string what = std::string(solver) + " on " + file + ", " +
                           std::string(to_string(law_of(problem.cones))) + ": " + report.reason;
  const bool converged = report.status == Status::converged;
  // whatever the end, the report is honest and the result no worse than nothing
  EXPECT_EQ(converged, report.measures.residual <= 1.01e-4) << what;
  EXPECT_LE(report.measures.residual, 1.0 + 1e-12) << what;
  const KnownFailure* known = known_failure(solver, to_string(law_of(problem.cones)), file);
  if (known == nullptr) {
    EXPECT_TRUE(converged) << what;
  } else {
    EXPECT_FALSE(converged) << what << "\nit converges now: take its row out, which says `"
                            << known->why << "`";
  }
}

/// The two folders of problems, each with its own tests, so that one that is absent is told by
/// name.
class StoredProblems : public ::testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    files_ = problems_in(GetParam());
    if (files_.empty() && GetParam() == kOfOtherCodes) {
      GTEST_SKIP() << "no problems in " << GetParam().string();
    }
    ASSERT_FALSE(files_.empty());
  }
  std::vector<fs::path> files_;
};

TEST(FclibFiles, KnownFailuresAreOfFilesAndSolversThatAreThere) {
  const std::vector<fs::path> own = problems_in(kOwn);
  const std::vector<fs::path> others = problems_in(kOfOtherCodes);
  for (const KnownFailure& known : kKnownFailures) {
    EXPECT_EQ(find_solver(known.solver).name, known.solver);
    EXPECT_TRUE(holds(own, known.file) || holds(others, known.file) || others.empty())
        << known.file;
  }
}

TEST_P(StoredProblems, EverySolverOnEveryFile) {
  for (const fs::path& file : files_) {
    const std::string name = file.stem().string();
    for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
      std::vector<std::string_view> solvers;
      for (const SolverEntry& entry : solver_registry()) {
        if (!fault_of_method(entry.name, traits_of(law)).empty()) continue;
        if (!is_too_large(entry.name, law, name)) solvers.push_back(entry.name);
      }
      if (solvers.empty()) continue;
      const ContactProblem problem = read_fclib(MPI_COMM_WORLD, file, law);
      const ProblemTraits traits = traits_of(problem);
      for (const std::string_view solver : solvers) {
        if (fault_of_method(solver, traits).empty()) check(problem, solver, name);
      }
    }
  }
}

/// Exact friction to 1e-8, as asked of the default method, on all but the two beds.
TEST_P(StoredProblems, AutoReachesHighAccuracy) {
  for (const fs::path& file : files_) {
    if (file.filename().string().starts_with("bed")) continue;
    const ContactProblem problem = read_fclib(MPI_COMM_WORLD, file, FrictionLaw::coulomb);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    SolverOptions options;
    options.stop.tolerance = 1e-8;
    options.stop.max_seconds = 60.0;
    options.on_not_converged = NotConverged::warn;
    const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
    EXPECT_EQ(report.status, Status::converged) << file << ": " << report.reason;
    EXPECT_LE(report.measures.residual, 1.01e-8) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, StoredProblems, ::testing::Values(kOwn, kOfOtherCodes),
                         [](const auto& folder) {
                           return folder.param == kOwn ? "Scree" : "OtherCodes";
                         });

/// Beds of spheres are for sweeps, which stand still there for hundreds of sweeps at a time: pac
/// takes ten times as long to 1e-6.
TEST(FclibFiles, AutoSweepsTheBed) {
  const fs::path file = kOfOtherCodes / "bed5k.hdf5";
  if (!fs::exists(file)) GTEST_SKIP() << "no " << file;
  if (size_of(MPI_COMM_WORLD) > 1) GTEST_SKIP() << "for one rank";
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
    const ContactProblem problem = read_fclib(MPI_COMM_WORLD, file, law);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    SolverOptions options;
    options.stop.tolerance = 1e-6;
    const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
    EXPECT_EQ(report.status, Status::converged) << report.reason;
    EXPECT_EQ(report.solver, law == FrictionLaw::coulomb ? "nsgs" : "psor") << report.reason;
  }
}

TEST(FclibFiles, FallbackFindsWhatTheFirstMethodDoesNot) {
  SolverOptions options;
  options.method = "pgj";
  options.stop.max_iterations = 40;
  const ContactProblem bricks =
      read_fclib(MPI_COMM_SELF, kOwn / "bricks.hdf5", FrictionLaw::coulomb);
  const petsc::Vector lambda = petsc::duplicate(bricks.r.get());
  const SolverReport report = SolverDriver(options).solve(bricks, lambda.get());
  EXPECT_EQ(report.attempts.front().method, "pgj");
  EXPECT_EQ(report.attempts.front().status, Status::iteration_limit);
  EXPECT_GT(report.attempts.size(), 1U);
}

TEST(FclibFiles, FallbackEndsACycleOfSweeps) {
  const fs::path file = kOfOtherCodes / "OneObject-i100000-316.hdf5";
  if (!fs::exists(file)) GTEST_SKIP() << "no " << file;
  // each rank for itself: cut between ranks, nsgs may converge here
  const ContactProblem problem = read_fclib(MPI_COMM_SELF, file, FrictionLaw::coulomb);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolverOptions options;
  options.method = "nsgs";
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  EXPECT_EQ(report.status, Status::converged) << report.reason;
  EXPECT_NE(report.solver, "nsgs");
  EXPECT_TRUE(report.reason.starts_with("nsgs: ")) << report.reason;
}

}  // namespace
}  // namespace scree::fclib_files_test
