// ranks: 1 2 4
/// FCLIB files that several ranks write and read: the numbers of one rank, in any of the forms of
/// the format.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "scree/base/whole_vector.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/problem/measure.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace scree::fclib_ranks_test {
namespace {

namespace fs = std::filesystem;

MPI_Comm kAll = MPI_COMM_WORLD;

/// Rounding: of a few terms in another order, and of a number that goes by the length of a row and
/// back; of sums over a body's contacts in another order; of products and factorisations of some
/// hundred numbers of size 1.
constexpr double kOfFew = 1e-14;
constexpr double kOfSums = 1e-13;
constexpr double kOfProducts = 1e-12;

/// Impulses by the numbers of rows, which are those of one rank.
petsc::Vector impulses_of(const ContactProblem& problem) {
  petsc::Vector lambda = petsc::duplicate(problem.r.get());
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(lambda.get(), &first, nullptr));
  const petsc::View view(lambda.get());
  for (std::size_t k = 0; k < view.size(); ++k) {
    view[k] = std::sin(1.7 * (static_cast<double>(first) + static_cast<double>(k)));
  }
  return lambda;
}

/// Writes a problem with a guess and a solution. Collective.
void write(const ContactProblem& problem, const fs::path& path) {
  const petsc::Vector lambda = impulses_of(problem);
  write_fclib(problem, path,
              {.title = "ranks",
               .configuration = "name: a",
               .velocity_error = 1e-3,
               .guess = lambda.get(),
               .solution = lambda.get()});
}

/// Paths of all datasets below @p group.
void list_datasets(hid_t file, const std::string& group, std::vector<std::string>& names) {
  for (const std::string& child : h5::children(h5::open_group(file, group).get())) {
    const std::string path = fmt::format("{}/{}", group, child);
    if (h5::is_group(file, path)) {
      list_datasets(file, path, names);
    } else {
      names.push_back(path);
    }
  }
}

std::vector<std::string> datasets(hid_t file) {
  std::vector<std::string> names;
  for (const std::string& child : h5::children(file)) list_datasets(file, "/" + child, names);
  return names;
}

void expect_same_numbers(hid_t a, hid_t b, const std::string& name) {
  ASSERT_EQ(h5::extents(a, name), h5::extents(b, name)) << name;
  if (h5::holds_texts(a, name)) {
    EXPECT_EQ(h5::read_text(a, name), h5::read_text(b, name)) << name;
    return;
  }
  const auto x = h5::read<double>(a, name);
  const auto y = h5::read<double>(b, name);
  double largest = 0.0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < x.size(); ++k) {
    // sums are of the same terms in another order; indices are whole and far below 1e14
    ASSERT_NEAR(x[k], y[k], kOfFew * largest) << name << " " << k;
  }
}

struct Scene {
  std::string name;
  std::function<ContactProblem(MPI_Comm)> build;
};

test::ProblemBuilder held_graph() {
  test::ProblemBuilder builder = test::random_graph(30, 60, 5, false, true);
  builder.add_contact(0, 1, Vec3::UnitX(), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), 0.1, 0.0, 1);
  return builder;
}

test::ProblemBuilder soft_rolling_graph() {
  test::ProblemBuilder builder = test::random_graph(30, 60, 8);
  builder.resist_rolling(0.02);
  builder.soften({.normal = 0.3, .tangential = 0.2, .rolling = 500.0});
  builder.add_contact(0, 1, Vec3::UnitX(), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), 0.1, 0.0, 1);
  builder.add_contact(1, 2, Vec3::UnitY(), Vec3(0, -0.1, 0), Vec3(0, 0.1, 0), 0.1, 0.3, 3);
  return builder;
}

std::vector<Scene> scenes() {
  const auto build = [](const test::ProblemBuilder& builder) {
    return [builder](MPI_Comm comm) { return builder.build(comm, FrictionLaw::coulomb, "test"); };
  };
  const auto as_matrix = [](const test::ProblemBuilder& builder) {
    return [builder](MPI_Comm comm) {
      return test::as_matrix(builder.build(comm, FrictionLaw::coulomb, "test"));
    };
  };
  return {{"held", build(held_graph())},
          {"soft-rolling", build(soft_rolling_graph())},
          {"one", build(test::stack(1))},  // ranks without contacts
          {"matrix", as_matrix(held_graph())},
          {"rolling-matrix", as_matrix(soft_rolling_graph())}};
}

class FclibRanks : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / (name + ".hdf5"); }
  test::TemporaryFolder folder_{kAll};
};

TEST_F(FclibRanks, WriteWhatOneRankWrites) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    write(scene.build(kAll), path(scene.name));
    if (rank_of(kAll) > 0) continue;
    write(scene.build(MPI_COMM_SELF), path("one-" + scene.name));
    const h5::File a = h5::open_file(path(scene.name));
    const h5::File b = h5::open_file(path("one-" + scene.name));
    ASSERT_EQ(datasets(a.get()), datasets(b.get()));
    for (const std::string& name : datasets(a.get())) expect_same_numbers(a.get(), b.get(), name);
  }
}

/// u = N r + (velocity without impulses) of all rows, in the order of the file, by its own numbers.
std::vector<double> velocities(MPI_Comm comm, const fs::path& path, const fs::path& solved) {
  const ContactProblem problem = read_fclib(comm, path, FrictionLaw::coulomb);
  const petsc::Vector guess = read_fclib_guess(problem, path);
  write_fclib_solution(problem, guess.get(), path, solved);
  SCREE_MPI(MPI_Barrier(comm));
  std::vector<double> u = h5::read<double>(h5::open_file(solved).get(), "solution/u");
  SCREE_MPI(MPI_Barrier(comm));
  return u;
}

/// The guess as it was written, and the velocities that the problem gives for it: those of the
/// file and of scree's own product.
TEST_F(FclibRanks, ReadWhatOneRankReads) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    write(scene.build(kAll), path(scene.name));
    const std::vector<double> u = velocities(kAll, path(scene.name), path("solved"));
    const h5::File file = h5::open_file(path(scene.name));
    const auto expected = h5::read<double>(file.get(), "guesses/1/u");
    const auto r = h5::read<double>(file.get(), "guesses/1/r");
    const auto r_back = h5::read<double>(h5::open_file(path("solved")).get(), "solution/r");
    ASSERT_EQ(u.size(), expected.size());
    for (std::size_t k = 0; k < u.size(); ++k) {
      EXPECT_NEAR(u[k], expected[k], kOfProducts * (1.0 + std::abs(expected[k])));
      EXPECT_NEAR(r_back[k], r[k], kOfFew);
    }
    const ContactProblem problem = read_fclib(kAll, path(scene.name), FrictionLaw::coulomb);
    const petsc::Vector guess = read_fclib_guess(problem, path(scene.name));
    const Measures measures = Measurer(problem).measure(guess.get());
    const ContactProblem whole = read_fclib(MPI_COMM_SELF, path(scene.name), FrictionLaw::coulomb);
    const petsc::Vector guess_of_one = read_fclib_guess(whole, path(scene.name));
    const Measures of_one = Measurer(whole).measure(guess_of_one.get());
    EXPECT_NEAR(measures.residual, of_one.residual, kOfProducts * of_one.residual);
    SCREE_MPI(MPI_Barrier(kAll));
  }
}

/// Rewrites the triplets of @p name in another of FCLIB's forms.
enum class Form { columns, rows, other_triplets };

template <class T>
void replace(hid_t file, const std::string& name, const std::vector<T>& values) {
  SCREE_HDF5(H5Ldelete(file, name.c_str(), H5P_DEFAULT));
  h5::write(file, name, values);
}

void rewrite(hid_t file, const std::string& name, Form form) {
  auto row = h5::read<std::int32_t>(file, name + "/i");
  auto column = h5::read<std::int32_t>(file, name + "/p");
  if (form == Form::other_triplets) {
    replace(file, name + "/i", column);
    replace(file, name + "/p", row);
    return;
  }
  const auto x = h5::read<double>(file, name + "/x");
  const auto& line = form == Form::rows ? row : column;
  const auto& across = form == Form::rows ? column : row;
  const auto lines = h5::read_scalar<std::int32_t>(file, name + (form == Form::rows ? "/m" : "/n"));
  std::vector<std::int32_t> start{0};
  std::vector<std::int32_t> index;
  std::vector<double> value;
  for (std::int32_t l = 0; l < lines; ++l) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (line[k] != l) continue;
      index.push_back(across[k]);
      value.push_back(x[k]);
    }
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  replace(file, name + "/p", start);
  replace(file, name + "/i", index);
  replace(file, name + "/x", value);
  replace(file, name + "/nz", std::vector<std::int32_t>{form == Form::rows ? -2 : -1});
}

TEST_F(FclibRanks, ReadAnyFormOfAMatrix) {
  write(soft_rolling_graph().build(kAll, FrictionLaw::coulomb, "test"), path("triplets"));
  const std::vector<double> expected = velocities(kAll, path("triplets"), path("solved"));
  for (const Form form : {Form::columns, Form::rows, Form::other_triplets}) {
    SCOPED_TRACE(static_cast<int>(form));
    const fs::path other = path("form-" + std::to_string(static_cast<int>(form)));
    if (rank_of(kAll) == 0) {
      fs::copy_file(path("triplets"), other);
      const h5::File file(SCREE_HDF5(H5Fopen(other.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)));
      rewrite(file.get(), "fclib_global_rolling/H", form);
      if (form != Form::other_triplets) rewrite(file.get(), "fclib_global_rolling/M", form);
    }
    SCREE_MPI(MPI_Barrier(kAll));
    const std::vector<double> u = velocities(kAll, other, path("solved"));
    ASSERT_EQ(u.size(), expected.size());
    for (std::size_t k = 0; k < u.size(); ++k) {
      EXPECT_NEAR(u[k], expected[k], kOfSums * (1.0 + std::abs(expected[k])));
    }
  }
}

/// A file of another program: bodies of three, four and more degrees of freedom each, whose numbers
/// are scattered over the file, so that bodies lie on several ranks' shares.
struct ScatteredBodies {
  Eigen::MatrixXd mass;
  Eigen::MatrixXd h;
  Eigen::VectorXd f;
  Eigen::VectorXd w;
};

ScatteredBodies scattered_bodies(int n_dofs, int n_bodies, int n_contacts) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto draw = [&](auto... sizes) {
    using Result = std::conditional_t<sizeof...(sizes) == 2, Eigen::MatrixXd, Eigen::VectorXd>;
    return Result(Result::NullaryExpr(sizes..., [&]() { return number(random); }));
  };
  const Eigen::Index n_rows = Eigen::Index{3} * n_contacts;
  ScatteredBodies bodies{Eigen::MatrixXd::Zero(n_dofs, n_dofs),
                         Eigen::MatrixXd::Zero(n_dofs, n_rows), draw(n_dofs), draw(n_rows)};
  for (int i = 0; i < n_dofs; ++i) {
    for (int j = i % n_bodies; j < n_dofs; j += n_bodies) {
      bodies.mass(i, j) = bodies.mass(j, i) = i == j ? 20.0 : number(random);
    }
  }
  for (int contact = 0; contact < n_contacts; ++contact) {
    for (const int body : {contact % n_bodies, (3 * contact + 1) % n_bodies}) {
      for (int dof = body; dof < n_dofs; dof += n_bodies) {
        for (int k = 0; k < 3; ++k) bodies.h(dof, 3 * contact + k) = number(random);
      }
    }
  }
  return bodies;
}

void write_matrix(hid_t file, const std::string& name, const Eigen::MatrixXd& matrix) {
  std::vector<std::int32_t> i;
  std::vector<std::int32_t> p;
  std::vector<double> x;
  for (int row = 0; row < matrix.rows(); ++row) {
    for (int column = 0; column < matrix.cols(); ++column) {
      if (matrix(row, column) == 0.0) continue;
      i.push_back(row);
      p.push_back(column);
      x.push_back(matrix(row, column));
    }
  }
  h5::create_group(file, name);
  h5::write_scalar(file, name + "/m", static_cast<std::int32_t>(matrix.rows()));
  h5::write_scalar(file, name + "/n", static_cast<std::int32_t>(matrix.cols()));
  h5::write_scalar(file, name + "/nz", static_cast<std::int32_t>(x.size()));
  h5::write(file, name + "/i", i);
  h5::write(file, name + "/p", p);
  h5::write(file, name + "/x", x);
}

void write_scattered(const ScatteredBodies& bodies, const fs::path& path) {
  const h5::File file(SCREE_HDF5(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)));
  const auto vector = [&file](const std::string& name, const Eigen::VectorXd& values) {
    h5::write(file.get(), name, std::vector<double>(values.begin(), values.end()));
  };
  const std::string g = "fclib_global";
  h5::create_group(file.get(), g);
  h5::write_scalar(file.get(), g + "/spacedim", std::int32_t{3});
  write_matrix(file.get(), g + "/M", bodies.mass);
  write_matrix(file.get(), g + "/H", bodies.h);
  vector(g + "/vectors/f", bodies.f);
  vector(g + "/vectors/w", bodies.w);
  const Eigen::Index n_contacts = bodies.w.size() / 3;
  vector(g + "/vectors/mu", Eigen::VectorXd::Constant(n_contacts, 0.4));
  h5::create_group(file.get(), "guesses/1");
  vector("guesses/1/r", Eigen::VectorXd::LinSpaced(bodies.w.size(), -1.0, 2.0));
}

void expect_dense_velocities(const ScatteredBodies& bodies, const fs::path& path,
                             const fs::path& solved, bool product) {
  if (rank_of(kAll) == 0) write_scattered(bodies, path);
  SCREE_MPI(MPI_Barrier(kAll));
  const ContactProblem problem = read_fclib(kAll, path, FrictionLaw::coulomb);
  EXPECT_EQ(problem.delassus.is_product(), product);
  EXPECT_EQ(problem.delassus.blocks, nullptr);
  EXPECT_TRUE(problem.delassus.symmetric);
  const std::vector<double> u = velocities(kAll, path, solved);
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(bodies.w.size(), -1.0, 2.0);
  const Eigen::VectorXd v = bodies.mass.lu().solve(bodies.h * r + bodies.f);
  const Eigen::VectorXd expected = bodies.h.transpose() * v + bodies.w;
  const auto v_back = h5::read<double>(h5::open_file(solved).get(), "solution/v");
  for (Eigen::Index k = 0; k < v.size(); ++k) EXPECT_NEAR(v_back[k], v[k], kOfProducts);
  for (Eigen::Index k = 0; k < expected.size(); ++k) EXPECT_NEAR(u[k], expected[k], kOfProducts);
  // and of the problem that solvers see
  const petsc::Vector lambda = read_fclib_guess(problem, path);
  const petsc::Vector of_problem = petsc::duplicate(problem.r.get());
  DelassusProduct(problem).contact_velocity(lambda.get(), of_problem.get());
  const petsc::ConstView view(of_problem.get());
  for (std::size_t i = 0; i < problem.number_in_file.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(view[3 * i + k], expected[3 * problem.number_in_file[i] + static_cast<int>(k)],
                  kOfProducts);
    }
  }
  SCREE_MPI(MPI_Barrier(kAll));
}

TEST_F(FclibRanks, ReadBodiesThatLieOnSeveralShares) {
  expect_dense_velocities(scattered_bodies(37, 9, 14), path("bodies"), path("solved"), true);
}

/// One body of 80 degrees of freedom, which is no block but is factorised.
TEST_F(FclibRanks, ReadABodyThatDeforms) {
  expect_dense_velocities(scattered_bodies(80, 1, 6), path("deforms"), path("solved"), false);
}

}  // namespace
}  // namespace scree::fclib_ranks_test
