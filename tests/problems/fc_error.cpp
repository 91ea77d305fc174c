// ranks: 1
/// fc_error.py, which is independent of scree, measures the same of solutions in FCLIB files.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "scree/io/fclib/fclib.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/solver/driver.hpp"
#include "support/fclib_measures.hpp"
#include "support/folders.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace scree::fc_error_test {
namespace {

namespace fs = std::filesystem;

/// Impulses in a file that fc_error.py is to judge, with what scree measures of them.
struct Judged {
  fs::path path;
  FrictionLaw law;
  std::string what;
  Measures measured;
};

/// The command that judges all files, started once.
std::string judging(const std::vector<Judged>& cases) {
  std::string command =
      "/usr/bin/python3 -c 'import sys; words = sys.argv[1:]; sys.path.insert(0, words.pop(0))\n"
      "import fc_error\n"
      "while words: sys.argv[1:] = [words.pop(0), \"--friction\", words.pop(0)]; "
      "fc_error.main()' " +
      test::shared_dir().string() + "/check";
  for (const Judged& one : cases) {
    command += " " + one.path.string() + " " + std::string(to_string(one.law));
  }
  return command;
}

/// The verdicts of fc_error.py, in order.
std::vector<Measures> verdicts(const std::vector<Judged>& cases) {
  std::string text;
  FILE* pipe = popen(judging(cases).c_str(), "r");
  if (pipe == nullptr) throw Failure("popen failed");
  std::array<char, 512> buffer;
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  pclose(pipe);
  std::vector<Measures> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    Measures& m = all.emplace_back();
    m.residual = json.at("residual");
    m.velocity_error = json.at("velocity_error");
    m.cost = json.at("cost");
    m.feasibility = json.at("feasibility");
  }
  return all;
}

/// The largest component of the contacts' velocities in a solved file, m/s.
double largest_velocity(const fs::path& path) {
  double largest = 0.0;
  for (const double u : h5::read<double>(h5::open_file(path).get(), "solution/u")) {
    largest = std::max(largest, std::abs(u));
  }
  return largest;
}

class FcError : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(shared() / "check/fc_error.py")) GTEST_SKIP() << "no fc_error.py";
    if (size_of(MPI_COMM_WORLD) > 1) GTEST_SKIP() << "one rank starts the other program";
  }
  static fs::path shared() { return test::shared_dir(); }
  fs::path file(const std::string& name) const { return folder_.path() / name; }

  /// Adds impulses of @p source, zero, random and converged ones.
  void add(const fs::path& source, FrictionLaw law) {
    const ContactProblem problem = read_fclib(MPI_COMM_WORLD, source, law);
    Measurer measurer(problem);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    for (const std::string impulses : {"zero", "random", "converged"}) {
      SCREE_PETSC(VecSet(lambda.get(), 0.0));
      if (impulses == "random") test::fill(lambda.get(), 0.1);
      if (impulses == "converged") SolverDriver(SolverOptions()).solve(problem, lambda.get());
      const fs::path solved = file("solved" + std::to_string(cases_.size()) + ".hdf5");
      write_fclib_solution(problem, lambda.get(), source, solved);
      cases_.push_back({solved, law,
                        problem.origin + ", " + impulses + ", " + std::string(to_string(law)),
                        measurer.measure(lambda.get())});
    }
  }

  /// That it measures all of these as scree does.
  void expect_agreement() const {
    const std::vector<Measures> judged = verdicts(cases_);
    ASSERT_EQ(judged.size(), cases_.size());
    for (std::size_t i = 0; i < judged.size(); ++i) {
      SCOPED_TRACE(cases_[i].what);
      test::expect_same(cases_[i].measured, judged[i], largest_velocity(cases_[i].path));
    }
  }

 private:
  const test::TemporaryFolder folder_{MPI_COMM_WORLD};
  std::vector<Judged> cases_;
};

TEST_F(FcError, MeasuresTheSameOfStoredProblems) {
  for (const char* name :
       {"Capsules-i125-1213", "CubeH8", "Spheres-i099-356-679", "GFC3D_TwoRods1",
        "LMGC_GlobalFrictionContactProblem00046", "rolling-Chute-ndof-768-nc-4-3"}) {
    const fs::path source = shared() / "fclib" / (std::string(name) + ".hdf5");
    for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
      add(source, law);
    }
  }
  expect_agreement();
}

TEST_F(FcError, MeasuresTheSameOfCompliantContacts) {
  test::ProblemBuilder builder = test::random_graph(10, 20, 5, false, true);
  builder.soften({.normal = 0.3, .tangential = 0.2});
  test::ProblemBuilder rolling = test::random_graph(10, 20, 8);
  rolling.resist_rolling(0.02);
  rolling.soften({.normal = 0.3, .rolling = 500.0});
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
    write_fclib(builder.build(MPI_COMM_WORLD, law, "soft"), file("soft.hdf5"), {});
    add(file("soft.hdf5"), law);
    write_fclib(rolling.build(MPI_COMM_WORLD, law, "rolling"), file("rolling.hdf5"), {});
    add(file("rolling.hdf5"), law);
  }
  expect_agreement();
}

/// Rolling rows without a limit of their own still count: the law of contacts that roll freely.
TEST_F(FcError, MeasuresTheSameWithoutRollingFriction) {
  test::ProblemBuilder builder = test::random_graph(10, 20, 8);
  builder.resist_rolling(0.0);
  write_fclib(builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "free"), file("free.hdf5"), {});
  add(file("free.hdf5"), FrictionLaw::coulomb);
  expect_agreement();
}

}  // namespace
}  // namespace scree::fc_error_test
