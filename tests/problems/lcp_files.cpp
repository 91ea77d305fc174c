// ranks: 1 2 4
/// LCPs from files: what is read is what was written, on any number of ranks; every method that
/// takes them finds the same solution; what is wrong is refused.

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "scree/io/fclib/fclib.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/solver/driver.hpp"
#include "support/lcps.hpp"
#include "support/solver_options.hpp"
#include "support/temporary_folder.hpp"

namespace scree::lcp_files_test {
namespace {

namespace fs = std::filesystem;
using Eigen::VectorXd;

class LcpFile : public ::testing::Test {
 protected:
  /// The file on rank 0.
  void write(const test::Lcp& lcp, int n_columns = -1) const {
    if (rank_of(MPI_COMM_WORLD) == 0) {
      std::vector<std::int32_t> i;
      std::vector<std::int32_t> p;
      std::vector<double> x;
      for (Eigen::Index row = 0; row < lcp.a.rows(); ++row) {
        for (Eigen::Index column = 0; column < lcp.a.cols(); ++column) {
          if (lcp.a(row, column) == 0.0) continue;
          i.push_back(static_cast<std::int32_t>(row));
          p.push_back(static_cast<std::int32_t>(column));
          x.push_back(lcp.a(row, column));
        }
      }
      const h5::File file = h5::create_in_memory();
      for (const char* group : {"lcp", "lcp/A", "lcp/vectors"}) h5::create_group(file.get(), group);
      const auto scalar = [&](const char* name, Eigen::Index value) {
        h5::write_scalar(file.get(), std::string("lcp/A/") + name,
                         static_cast<std::int32_t>(value));
      };
      scalar("m", lcp.a.rows());
      scalar("n", n_columns >= 0 ? n_columns : lcp.a.cols());
      scalar("nz", static_cast<Eigen::Index>(x.size()));
      scalar("nzmax", static_cast<Eigen::Index>(x.size()));
      h5::write(file.get(), "lcp/A/i", i);
      h5::write(file.get(), "lcp/A/p", p);
      h5::write(file.get(), "lcp/A/x", x);
      h5::write(file.get(), "lcp/vectors/b",
                std::vector<double>(lcp.b.data(), lcp.b.data() + lcp.b.size()));
      write_whole(path_, h5::image(file));
    }
    SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
  }

  ContactProblem read() const { return read_fclib(MPI_COMM_WORLD, path_, FrictionLaw::coulomb); }

  void expect_refused(const std::string& part) const {
    try {
      read();
      ADD_FAILURE() << "not refused: " << part;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  test::TemporaryFolder folder_{MPI_COMM_WORLD};
  fs::path path_ = folder_.path() / "lcp.hdf5";
};

/// This rank's rows of the solution of @p method. To 1e-9: solutions are asked to 1e-6, for the
/// condition of the matrices.
SolverReport solve(const ContactProblem& problem, std::string_view method, Vec lambda,
                   std::string_view strategy = "perturbation") {
  SolverOptions options = test::only(method, 1e-9);
  options.fischer.strategy = *value_named<FischerStrategy>(strategy);
  return SolverDriver(options).solve(problem, lambda);
}

TEST_F(LcpFile, EveryMethodFindsTheSolutionOnAnyNumberOfRanks) {
  const test::Lcp lcp = test::random_lcp(14, 2, 2.0, 0.2);
  const auto expected = lcp.enumerate();
  ASSERT_TRUE(expected);
  write(lcp);
  const ContactProblem problem = read();
  EXPECT_FALSE(problem.delassus.symmetric);
  const auto check = [&](std::string_view method, std::string_view strategy) {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = solve(problem, method, lambda.get(), strategy);
    EXPECT_EQ(report.status, Status::converged) << method << ": " << report.reason;
    const fs::path solved = folder_.path() / "solved.hdf5";
    write_fclib_solution(problem, lambda.get(), path_, solved);  // in the order of the file
    SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
    const std::vector<double> x = h5::read<double>(h5::open_file(solved).get(), "solution/r");
    SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
    const Eigen::Map<const VectorXd> found(x.data(), static_cast<Eigen::Index>(x.size()));
    EXPECT_LE((found - *expected).norm(), 1e-6 * expected->norm()) << method << " " << strategy;
  };
  for (const SolverEntry& entry : solver_registry()) {
    if (!entry.needs.symmetric) check(entry.name, "perturbation");
  }
  for (const std::string_view strategy : {"random", "zero", "approximation"}) {
    check("fischer", strategy);
  }
}

TEST_F(LcpFile, NewtonStepsDoNotDependOnTheRanks) {
  const test::Lcp lcp = test::random_lcp(60, 3, 1.0);
  const ContactProblem shared = lcp.build(MPI_COMM_WORLD);
  const ContactProblem whole = lcp.build(MPI_COMM_SELF);
  for (const std::string_view method : {"minmap", "fischer", "lemke"}) {
    const petsc::Vector a = petsc::duplicate(shared.r.get());
    const petsc::Vector b = petsc::duplicate(whole.r.get());
    EXPECT_EQ(solve(shared, method, a.get(), "random").iterations,
              solve(whole, method, b.get(), "random").iterations)
        << method;
  }
}

TEST_F(LcpFile, SolutionIsWrittenBesideTheProblem) {
  const test::Lcp lcp = test::friction_lcp(0.5, -1.0, -0.9);
  write(lcp);
  const ContactProblem problem = read();
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  ASSERT_EQ(solve(problem, "auto", lambda.get()).status, Status::converged);
  write_fclib_solution(problem, lambda.get(), path_, path_);
  const h5::File file = h5::open_file(path_);
  const std::vector<double> x = h5::read<double>(file.get(), "solution/r");
  const std::vector<double> y = h5::read<double>(file.get(), "solution/u");
  ASSERT_EQ(x.size(), 4U);
  const VectorXd expected = lcp.a * Eigen::Map<const VectorXd>(x.data(), 4) + lcp.b;
  for (Eigen::Index k = 0; k < 4; ++k) EXPECT_NEAR(y[k], expected[k], 1e-14);
  EXPECT_NEAR(x[1], 0.5, 1e-8);
}

TEST_F(LcpFile, RefusesWhatIsWrong) {
  const test::Lcp good = test::random_lcp(3, 1);
  write(good, 2);
  expect_refused("lcp/A is 3 x 2, and its vectors need 3 x 3");

  test::Lcp bad = good;
  bad.a(1, 2) = std::numeric_limits<double>::quiet_NaN();
  write(bad);
  expect_refused("lcp/A/x holds a number that is not finite");

  bad = good;
  bad.b[2] = std::numeric_limits<double>::infinity();
  write(bad);
  expect_refused("lcp/vectors/b holds a number that is not finite");

  bad = good;
  bad.b.conservativeResize(2);
  write(bad);
  expect_refused("lcp/vectors/b has 2 numbers instead of 3");
}

}  // namespace
}  // namespace scree::lcp_files_test
