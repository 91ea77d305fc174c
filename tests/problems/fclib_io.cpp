// ranks: 1 2
/// FCLIB files: what is written is read back, what is corrupt is refused, and fc_error.py, which is
/// independent of scree, measures the same.

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "scree/io/fclib.hpp"
#include "scree/io/hdf5.hpp"
#include "scree/solver/driver.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// A folder of this test's own, the same on every rank, removed at the end.
class FclibFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              broadcast(MPI_COMM_WORLD, "scree-fclib-" + std::to_string(getpid()));
    if (rank_of(MPI_COMM_WORLD) == 0) fs::create_directories(folder_);
    SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
  }
  void TearDown() override {
    SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (rank_of(MPI_COMM_WORLD) == 0) fs::remove_all(folder_);
  }
  fs::path file(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

/// Impulses that do not depend on the number of ranks.
void fill(Vec lambda, double scale) {
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(lambda, &first, nullptr));
  const petsc::View view(lambda);
  for (std::size_t k = 0; k < view.size(); ++k) {
    view[k] = scale * std::sin(1.7 * (static_cast<double>(first) + static_cast<double>(k)) + 0.3);
  }
}

/// @p speed is the largest velocity of a contact, m/s. Where bodies slide far faster than gaps close,
/// impulses are small beside it, and so are the errors; both programs know velocities to some units
/// in the last place of that speed only, which counts in the residual by residual / velocity_error.
void expect_same(const Measures& a, const Measures& b, double speed = 0.0) {
  const auto near = [](double x, double y, double rounding = 0.0) {
    EXPECT_NEAR(x, y, 1e-8 * std::abs(y) + 1e-12 + rounding);
  };
  constexpr double kUnits = 16.0 * std::numeric_limits<double>::epsilon();
  const double share = b.velocity_error > 0.0 ? b.residual / b.velocity_error : 0.0;
  near(a.residual, b.residual, kUnits * speed * share);
  near(a.velocity_error, b.velocity_error);
  near(a.cost, b.cost);
  near(a.feasibility, b.feasibility);
}

void expect_round_trip(const ContactProblem& problem, const fs::path& path) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  fill(lambda.get(), 0.01);
  write_fclib(problem, path, {.title = "round trip", .guess = lambda.get()});
  const ContactProblem back = read_fclib(problem.comm, path, problem.friction);
  EXPECT_EQ(back.delassus.is_product(), problem.delassus.is_product());
  EXPECT_EQ(back.delassus.symmetric, problem.delassus.symmetric);
  EXPECT_EQ(back.n_cones_global(), problem.n_cones_global());
  const petsc::Vector lambda_back = read_fclib_guess(back, path);
  expect_same(Measurer(back).measure(lambda_back.get()), Measurer(problem).measure(lambda.get()));
}

TEST_F(FclibFile, IsReadBackAsWritten) {
  // cones of dim 1 (mu = 0 in the file) beside those of dim 3, and held degrees of freedom
  test::ProblemBuilder builder = test::random_graph(10, 20, 5, false, true);
  builder.add_contact(0, 1, Vec3::UnitX(), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), 0.1, 0.0, 1);
  const ContactProblem problem = builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "test");
  expect_round_trip(problem, file("global.hdf5"));
  expect_round_trip(test::as_matrix(problem), file("local.hdf5"));
}

TEST_F(FclibFile, RefusesDim2BesideDim3) {
  const ContactProblem problem =
      test::random_graph(10, 20, 5, true).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "test");
  EXPECT_THROW(write_fclib(problem, file("mixed.hdf5"), {}), Failure);
}

TEST_F(FclibFile, WritingLeavesTheOldFileWhenItFails) {
  const ContactProblem problem =
      test::stack(4).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  fill(lambda.get(), 0.1);
  write_fclib(problem, file("source.hdf5"), {});
  write_fclib_solution(problem, lambda.get(), file("source.hdf5"), file("solved.hdf5"));
  const auto impulses = [this] {
    return h5::read<double>(h5::open_file(file("solved.hdf5")).get(), "solution/r");
  };
  const std::vector<double> before = impulses();
  EXPECT_EQ(before.size(), 12U);
  if (rank_of(MPI_COMM_WORLD) == 0) {  // in the way of the temporary file
    fs::create_directory(file("solved.hdf5.part"));
  }
  SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
  fill(lambda.get(), 0.2);
  EXPECT_THROW(
      write_fclib_solution(problem, lambda.get(), file("source.hdf5"), file("solved.hdf5")),
      Failure);
  EXPECT_EQ(impulses(), before);
  EXPECT_THROW(write_fclib(problem, file("solved.hdf5"), {}), Failure);
  EXPECT_EQ(impulses(), before);
}

/// Replaces the dataset @p name.
template <class T>
void replace(hid_t file, const std::string& name, const std::vector<T>& values) {
  SCREE_HDF5(H5Ldelete(file, name.c_str(), H5P_DEFAULT));
  h5::write(file, name, values);
}

struct Fault {
  std::string name;
  std::string says;
  std::function<void(hid_t)> make;
};

TEST_F(FclibFile, RefusesWhatIsCorrupt) {
  const ContactProblem problem =
      test::stack(4).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "stack");
  write_fclib(problem, file("good.hdf5"), {});
  const std::string g = "fclib_global/";
  const std::vector<Fault> faults{
      {"no problem", "neither",
       [&](hid_t f) { SCREE_HDF5(H5Ldelete(f, "fclib_global", H5P_DEFAULT)); }},
      {"vector missing", "vectors/w",
       [&](hid_t f) { SCREE_HDF5(H5Ldelete(f, "fclib_global/vectors/w", H5P_DEFAULT)); }},
      {"vector short", "vectors/w",
       [&](hid_t f) { replace(f, g + "vectors/w", std::vector<double>(3)); }},
      {"friction negative", "vectors/mu",
       [&](hid_t f) { replace(f, g + "vectors/mu", std::vector<double>(4, -1.0)); }},
      {"NaN", "finite",
       [&](hid_t f) { replace(f, g + "vectors/f", std::vector<double>(24, std::nan(""))); }},
      {"dimension", "spacedim",
       [&](hid_t f) { replace(f, g + "spacedim", std::vector<std::int32_t>{7}); }},
      {"too many triplets", "triplets",
       [&](hid_t f) { replace(f, g + "H/nz", std::vector<std::int32_t>{1000000}); }},
      {"unknown storage", "nz is -9",
       [&](hid_t f) { replace(f, g + "H/nz", std::vector<std::int32_t>{-9}); }},
      {"index outside", "outside",
       [&](hid_t f) {
         auto i = h5::read<std::int32_t>(f, g + "M/i");
         i[0] = 99;
         replace(f, g + "M/i", i);
       }},
      {"not compressed columns", "starts",
       [&](hid_t f) { replace(f, g + "H/nz", std::vector<std::int32_t>{-1}); }},
      {"singular mass", "singular",
       [&](hid_t f) {
         auto x = h5::read<double>(f, g + "M/x");
         x[0] = 0.0;
         replace(f, g + "M/x", x);
       }},
  };
  for (const Fault& fault : faults) {
    const fs::path path = file(fault.name + ".hdf5");
    if (rank_of(MPI_COMM_WORLD) == 0) {
      fs::copy_file(file("good.hdf5"), path);
      const h5::File opened(SCREE_HDF5(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)));
      fault.make(opened.get());
    }
    SCREE_MPI(MPI_Barrier(MPI_COMM_WORLD));
    try {
      read_fclib(MPI_COMM_WORLD, path, FrictionLaw::coulomb);
      ADD_FAILURE() << fault.name << ": no exception";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(fault.says), std::string::npos)
          << fault.name << ": " << error.what();
    }
  }
}

TEST_F(FclibFile, RefusesRollingFrictionAndWhatIsNoFile) {
  EXPECT_THROW(read_fclib(MPI_COMM_WORLD, file("none.hdf5"), FrictionLaw::coulomb), InputError);
  const fs::path rolling = fs::path(SCREE_SHARED_DIR) / "fclib/rolling-Chute-ndof-768-nc-4-3.hdf5";
  if (!fs::exists(rolling)) GTEST_SKIP() << "no " << rolling;
  EXPECT_THROW(read_fclib(MPI_COMM_WORLD, rolling, FrictionLaw::coulomb), InputError);
}

/// What fc_error.py says of @p path.
Measures judge(const fs::path& path, FrictionLaw law) {
  const std::string command = std::string("/usr/bin/python3 ") + SCREE_SHARED_DIR +
                              "/check/fc_error.py " + path.string() + " --friction " +
                              std::string(to_string(law));
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Failure("popen failed");
  std::array<char, 512> buffer;
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  pclose(pipe);
  const auto json = nlohmann::json::parse(text);
  Measures m;
  m.residual = json.at("residual");
  m.velocity_error = json.at("velocity_error");
  m.cost = json.at("cost");
  m.feasibility = json.at("feasibility");
  return m;
}

/// The largest component of the contacts' velocities in a solved file, m/s.
double largest_velocity(const fs::path& path) {
  double largest = 0.0;
  for (const double u : h5::read<double>(h5::open_file(path).get(), "solution/u")) {
    largest = std::max(largest, std::abs(u));
  }
  return largest;
}

TEST_F(FclibFile, FcErrorMeasuresTheSame) {
  const fs::path shared = SCREE_SHARED_DIR;
  if (!fs::exists(shared / "check/fc_error.py")) GTEST_SKIP() << "no fc_error.py in " << shared;
  if (size_of(MPI_COMM_WORLD) > 1) GTEST_SKIP() << "one rank starts the other program";
  for (const char* name : {"Capsules-i125-1213", "CubeH8", "Spheres-i099-356-679", "GFC3D_TwoRods1",
                           "LMGC_GlobalFrictionContactProblem00046"}) {
    const fs::path source = shared / "fclib" / (std::string(name) + ".hdf5");
    for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
      const ContactProblem problem = read_fclib(MPI_COMM_WORLD, source, law);
      Measurer measurer(problem);
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      for (const char* impulses : {"zero", "random", "converged"}) {
        SCOPED_TRACE(std::string(name) + ", " + impulses + ", " + std::string(to_string(law)));
        SCREE_PETSC(VecSet(lambda.get(), 0.0));
        if (std::string(impulses) == "random") fill(lambda.get(), 0.1);
        if (std::string(impulses) == "converged") {
          SolverDriver(SolverOptions()).solve(problem, lambda.get());
        }
        const fs::path solved = file("solved.hdf5");
        write_fclib_solution(problem, lambda.get(), source, solved);
        expect_same(measurer.measure(lambda.get()), judge(solved, law), largest_velocity(solved));
      }
    }
  }
}

}  // namespace
}  // namespace scree
