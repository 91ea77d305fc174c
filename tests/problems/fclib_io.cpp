// ranks: 1 2
/// FCLIB files: what is written is read back, and what is corrupt is refused.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "scree/io/fclib/fclib.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "support/fclib_measures.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace scree::fclib_io_test {
namespace {

namespace fs = std::filesystem;

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

class FclibFile : public ::testing::Test {
 protected:
  fs::path file(const std::string& name) const { return folder_.path() / name; }

  /// That a copy of the file @p good with each of @p faults is refused, with its words.
  void expect_refused(const std::vector<Fault>& faults, const std::string& good) const {
    for (const Fault& fault : faults) {
      const fs::path path = file(fault.name + ".hdf5");
      if (rank_of(MPI_COMM_WORLD) == 0) {
        fs::copy_file(file(good), path);
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

 private:
  const test::TemporaryFolder folder_{MPI_COMM_WORLD};
};

/// The sum over all ranks.
double sum(const std::vector<double>& values) {
  return sum_over_ranks(MPI_COMM_WORLD, std::accumulate(values.begin(), values.end(), 0.0));
}

/// The cones of each type, of all ranks.
std::vector<double> counts_by_type(const Cones& cones) {
  std::vector<double> counts(cones::kTypes, 0.0);
  for (const ConeBatch& batch : cones.batches) {
    counts[batch.type] += batch.count;
  }
  sum_over_ranks(MPI_COMM_WORLD, counts);
  return counts;
}

/// Batches are homogeneous, and there is one of each type on a rank.
void expect_sorted(const Cones& cones) {
  for (std::size_t i = 1; i < cones.batches.size(); ++i) {
    EXPECT_LT(cones.batches[i - 1].type, cones.batches[i].type);
  }
}

void expect_round_trip(const ContactProblem& problem, const fs::path& path) {
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  test::fill(lambda.get(), 0.01);
  const petsc::Vector twice = petsc::duplicate(problem.r.get());
  SCREE_PETSC(VecAXPY(twice.get(), 2.0, lambda.get()));
  write_fclib(problem, path,
              {.title = "round trip", .guess = lambda.get(), .solution = twice.get()});
  const ContactProblem back = read_fclib(problem.comm, path, law_of(problem.cones));
  EXPECT_EQ(back.delassus.is_product(), problem.delassus.is_product());
  EXPECT_EQ(back.delassus.blocks != nullptr, problem.delassus.blocks != nullptr);
  EXPECT_EQ(counts_by_type(back.cones), counts_by_type(problem.cones));
  expect_sorted(back.cones);
  const double compliance = sum(problem.compliance);
  EXPECT_NEAR(sum(back.compliance), compliance, 1e-12 * compliance);
  EXPECT_EQ(back.delassus.symmetric, problem.delassus.symmetric);
  EXPECT_EQ(back.n_cones_global(), problem.n_cones_global());
  const petsc::Vector lambda_back = read_fclib_guess(back, path);
  test::expect_same(Measurer(back).measure(lambda_back.get()),
                    Measurer(problem).measure(lambda.get()));
  const h5::File written = h5::open_file(path);
  std::vector<double> expected = h5::read<double>(written.get(), "guesses/1/r");
  for (double& each : expected) each *= 2.0;
  EXPECT_EQ(h5::read<double>(written.get(), "solution/r"), expected);
}

TEST_F(FclibFile, IsReadBackAsWritten) {
  // cones of dim 1 (mu = 0 in the file) beside those of dim 3, and held degrees of freedom
  test::ProblemBuilder builder = test::random_graph(10, 20, 5, false, true);
  builder.add_contact(0, 1, Vec3::UnitX(), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), 0.1, 0.0, 1);
  const ContactProblem problem = builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "test");
  expect_round_trip(problem, file("global.hdf5"));
  expect_round_trip(test::as_matrix(problem), file("local.hdf5"));
}

/// Rolling friction, with contacts that only slide, and one without friction.
test::ProblemBuilder rolling_graph() {
  test::ProblemBuilder builder = test::random_graph(10, 20, 8, false, false);
  builder.resist_rolling(0.02);
  builder.add_contact(0, 1, Vec3::UnitX(), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), 0.1, 0.0, 1);
  builder.add_contact(1, 2, Vec3::UnitY(), Vec3(0, -0.1, 0), Vec3(0, 0.1, 0), 0.1, 0.3, 3);
  return builder;
}

TEST_F(FclibFile, OfRollingFrictionIsReadBackAsWritten) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
    const ContactProblem problem = rolling_graph().build(MPI_COMM_WORLD, law, "test");
    expect_round_trip(problem, file("global.hdf5"));
    expect_round_trip(test::as_matrix(problem), file("local.hdf5"));
    // lengths come from the file's N, and the builder's from the bodies
    const ContactProblem back = read_fclib(MPI_COMM_WORLD, file("global.hdf5"), law);
    EXPECT_NEAR(sum(back.rolling_length), sum(problem.rolling_length), 1e-12);
    EXPECT_GT(std::abs(sum(problem.rolling_length) - 20.0), 1.0) << "lengths that are not 1";
  }
  EXPECT_TRUE(h5::is_group(h5::open_file(file("global.hdf5")).get(), "fclib_global_rolling"));
  EXPECT_TRUE(h5::is_group(h5::open_file(file("local.hdf5")).get(), "fclib_local_rolling"));
  EXPECT_THROW(read_fclib(MPI_COMM_WORLD, file("local.hdf5"), FrictionLaw::box), InputError);
}

TEST_F(FclibFile, OfCompliantContactsIsReadBackAsWritten) {
  test::ProblemBuilder builder = test::random_graph(10, 20, 5, false, true);
  builder.soften({.normal = 0.3, .tangential = 0.2});
  builder.add_contact(0, 1, Vec3::UnitX(), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), 0.1, 0.0, 1,
                      {.normal = 0.1});
  builder.add_contact(1, 2, Vec3::UnitY(), Vec3(0, -0.1, 0), Vec3(0, 0.1, 0), 0.1, 0.3, 3);
  builder.add_contact(2, 3, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3(0, 0, 0.1), 0.1, 0.3, 3,
                      {.tangential = 0.4});
  expect_round_trip(builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "test"), file("soft.hdf5"));

  test::ProblemBuilder rolling = rolling_graph();
  rolling.soften({.normal = 0.3, .tangential = 0.2, .rolling = 500.0});
  const ContactProblem problem = rolling.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "test");
  expect_round_trip(problem, file("soft-rolling.hdf5"));
}

TEST_F(FclibFile, OfRigidContactsNamesNoCompliance) {
  const ContactProblem problem =
      test::stack(4).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "stack");
  write_fclib(problem, file("rigid.hdf5"), {});
  const h5::File written = h5::open_file(file("rigid.hdf5"));
  EXPECT_FALSE(h5::exists(written.get(), "fclib_global/info/compliant_rows"));
  EXPECT_EQ(h5::read_scalar<std::int32_t>(written.get(), "fclib_global/M/m"), 24);
}

/// The last degree of freedom is a spring on row 0 alone only as it was written.
TEST_F(FclibFile, RefusesSpringsThatAreNone) {
  test::ProblemBuilder builder = test::stack(2);
  builder.soften({.normal = 0.5});
  write_fclib(builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "stack"), file("good.hdf5"), {});
  const std::string g = "fclib_global/";
  const std::vector<Fault> faults{
      {"another row", "is no spring",
       [&](hid_t f) {
         replace(f, g + "info/compliant_rows", std::vector<std::int32_t>{0, 1});
       }},
      {"beyond the rows", "is no spring",
       [&](hid_t f) {
         replace(f, g + "info/compliant_rows", std::vector<std::int32_t>{0, 60});
       }},
      {"more than there are", "is no spring",
       [&](hid_t f) { replace(f, g + "info/compliant_rows", std::vector<std::int32_t>(40, 0)); }},
      {"one that moves", "is no spring",
       [&](hid_t f) {
         auto momentum = h5::read<double>(f, g + "vectors/f");
         momentum.back() = 1.0;
         replace(f, g + "vectors/f", momentum);
       }},
  };
  expect_refused(faults, "good.hdf5");
}

TEST_F(FclibFile, RefusesConesThatItDoesNotKnow) {
  ContactProblem problem = test::stack(3).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "stack");
  const std::size_t count = problem.cones.count();
  problem.cones = {};
  for (std::size_t i = 0; i < count; ++i) problem.cones.append(cones::Joint{});
  EXPECT_THROW(write_fclib(problem, file("joints.hdf5"), {}), Failure);
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
  test::fill(lambda.get(), 0.1);
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
  test::fill(lambda.get(), 0.2);
  EXPECT_THROW(
      write_fclib_solution(problem, lambda.get(), file("source.hdf5"), file("solved.hdf5")),
      Failure);
  EXPECT_EQ(impulses(), before);
  EXPECT_THROW(write_fclib(problem, file("solved.hdf5"), {}), Failure);
  EXPECT_EQ(impulses(), before);
}

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
  expect_refused(faults, "good.hdf5");
}

TEST_F(FclibFile, RefusesCorruptRollingFriction) {
  write_fclib(rolling_graph().build(MPI_COMM_WORLD, FrictionLaw::coulomb, "test"),
              file("rolling.hdf5"), {});
  const std::string g = "fclib_global_rolling/";
  const std::vector<Fault> faults{
      {"dimension of rolling", "spacedim",
       [&](hid_t f) { replace(f, g + "spacedim", std::vector<std::int32_t>{3}); }},
      {"rolling friction short", "vectors/mu_r",
       [&](hid_t f) { replace(f, g + "vectors/mu_r", std::vector<double>(3, 0.1)); }},
      {"rolling friction negative", "vectors/mu_r",
       [&](hid_t f) { replace(f, g + "vectors/mu_r", std::vector<double>(22, -0.1)); }},
  };
  expect_refused(faults, "rolling.hdf5");
}

TEST_F(FclibFile, RefusesWhatIsNoFile) {
  EXPECT_THROW(read_fclib(MPI_COMM_WORLD, file("none.hdf5"), FrictionLaw::coulomb), InputError);
}

}  // namespace
}  // namespace scree::fclib_io_test
