#include "solver/linear/linear_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scree {
namespace {

/// [[diagonal, across], [across, -diagonal]] in blocks of the given sizes.
petsc::Matrix indefinite(double diagonal, double across, std::vector<PetscInt> sizes) {
  petsc::Matrix a;
  SCREE_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, 2, 2, 2, nullptr, a.out()));
  for (PetscInt i = 0; i < 2; ++i) {
    for (PetscInt j = 0; j < 2; ++j) {
      const double value = i != j ? across : i == 0 ? diagonal : -diagonal;
      SCREE_PETSC(MatSetValue(a.get(), i, j, value, INSERT_VALUES));
    }
  }
  SCREE_PETSC(MatAssemblyBegin(a.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(a.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatSetVariableBlockSizes(a.get(), static_cast<PetscInt>(sizes.size()), sizes.data()));
  return a;
}

/// Solves A x = (1, 2).
void expect_solved(LinearSolver& solver, Mat a) {
  solver.use(a);
  const petsc::Vector rhs = petsc::make_vector(PETSC_COMM_SELF, 2);
  const petsc::Vector x = petsc::make_vector(PETSC_COMM_SELF, 2);
  petsc::View(rhs.get())[0] = 1.0;
  petsc::View(rhs.get())[1] = 2.0;
  ASSERT_TRUE(solver.solve(rhs.get(), x.get(), 1e-12)) << solver.note();
  const petsc::Vector image = petsc::make_vector(PETSC_COMM_SELF, 2);
  SCREE_PETSC(MatMult(a, x.get(), image.get()));
  EXPECT_NEAR(petsc::ConstView(image.get())[0], 1.0, 1e-12);
  EXPECT_NEAR(petsc::ConstView(image.get())[1], 2.0, 1e-12);
}

/// No pivot: ILU(0) cannot; the block's inverse can.
TEST(LinearSolver, APreconditionerThatBreaksGivesWayToPointJacobiAndTells) {
  const petsc::Matrix a = indefinite(0.0, 1.0, {2});
  LinearOptions options;
  options.method = LinearMethod::krylov;
  options.krylov = KrylovMethod::gmres;
  options.preconditioner = Preconditioner::incomplete_lu;
  LinearSolver solver(options, {.symmetric = false, .definite = false, .uniform_blocks = false});
  expect_solved(solver, a.get());
  EXPECT_NE(solver.note().find("GMRES with ilu"), std::string::npos) << solver.note();
  EXPECT_NE(solver.note().find("GMRES with point_jacobi from there on"), std::string::npos)
      << solver.note();
  EXPECT_FALSE(solver.direct());
}

TEST(LinearSolver, ConjugateGradientsOfAnIndefiniteMatrixGiveWayToAFactorisationAndTell) {
  const petsc::Matrix a = indefinite(1.0, 2.0, {1, 1});
  LinearOptions options;
  options.method = LinearMethod::krylov;
  LinearSolver solver(options, {.symmetric = true, .definite = false, .uniform_blocks = false});
  expect_solved(solver, a.get());
  EXPECT_NE(solver.note().find("conjugate gradients with"), std::string::npos) << solver.note();
  EXPECT_TRUE(solver.direct());
  EXPECT_EQ(solver.factorisations(), 1);
}

/// A strict linear solver breaks, tells, and stays what it is: no other preconditioner, no
/// factorisation.
TEST(LinearSolver, NothingGivesWayWhereItIsStrict) {
  const auto expect_failed = [](const LinearOptions& options, MatrixTraits traits, Mat a) {
    LinearSolver solver(options, traits);
    solver.use(a);
    const petsc::Vector rhs = petsc::make_vector(PETSC_COMM_SELF, 2);
    const petsc::Vector x = petsc::make_vector(PETSC_COMM_SELF, 2);
    petsc::View(rhs.get())[0] = 1.0;
    EXPECT_FALSE(solver.solve(rhs.get(), x.get(), 1e-12));
    EXPECT_NE(solver.note().find("ended with"), std::string::npos) << solver.note();
    EXPECT_EQ(solver.note().find("from there on"), std::string::npos) << solver.note();
    EXPECT_FALSE(solver.direct());
    EXPECT_EQ(solver.factorisations(), 0);
  };
  LinearOptions options{.method = LinearMethod::krylov,
                        .krylov = KrylovMethod::gmres,
                        .preconditioner = Preconditioner::incomplete_lu,
                        .strict = true};
  expect_failed(options, {.symmetric = false, .definite = false, .uniform_blocks = false},
                indefinite(0.0, 1.0, {2}).get());
  options.krylov = KrylovMethod::conjugate_gradients;
  options.preconditioner = Preconditioner::point_jacobi;
  expect_failed(options, {.symmetric = true, .definite = false, .uniform_blocks = false},
                indefinite(1.0, 2.0, {1, 1}).get());
}

TEST(LinearSolver, NothingIsToldWhereNothingGaveWay) {
  const petsc::Matrix a = indefinite(0.0, 1.0, {2});
  LinearOptions options;
  options.method = LinearMethod::krylov;
  options.krylov = KrylovMethod::gmres;
  for (const Preconditioner p : {Preconditioner::none, Preconditioner::point_jacobi}) {
    options.preconditioner = p;
    LinearSolver solver(options, {.symmetric = true, .definite = false, .uniform_blocks = false});
    expect_solved(solver, a.get());
    EXPECT_TRUE(solver.note().empty()) << solver.note();
  }
}

TEST(LinearSolver, EveryPreconditionerHasItsName) {
  for (int k = 0; k <= static_cast<int>(Preconditioner::incomplete_lu); ++k) {
    const auto p = static_cast<Preconditioner>(k);
    EXPECT_EQ(value_named<Preconditioner>(to_string(p)), p);
  }
}

TEST(LinearSolver, FactorisesSoManyRowsOfBodiesInAPlane) {
  const petsc::Matrix a = indefinite(1.0, 2.0, {1, 1});
  for (const bool planar : {false, true}) {
    LinearSolver solver(
        {.most_rows = 1, .most_planar_rows = 2},
        {.symmetric = true, .definite = false, .uniform_blocks = false, .planar = planar});
    solver.use(a.get());
    EXPECT_EQ(solver.direct(), planar);
  }
}

/// Matrices of n rows follow others of more or fewer; each is factorised only where it may be.
TEST(LinearSolver, TakesAMatrixOfAnotherSizeWhenTold) {
  for (const LinearMethod method :
       {LinearMethod::krylov, LinearMethod::factorisation, LinearMethod::automatic}) {
    constexpr PetscInt kMostRows = 4;
    LinearSolver solver({.method = method, .most_rows = kMostRows},
                        {.symmetric = false, .definite = false, .uniform_blocks = false});
    for (const PetscInt n : {3, 1, 5}) {
      petsc::Matrix a;
      SCREE_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 2, nullptr, a.out()));
      for (PetscInt i = 0; i < n; ++i) {
        SCREE_PETSC(MatSetValue(a.get(), i, i, 2.0, INSERT_VALUES));
        if (i > 0) SCREE_PETSC(MatSetValue(a.get(), i, i - 1, -1.0, INSERT_VALUES));
      }
      SCREE_PETSC(MatAssemblyBegin(a.get(), MAT_FINAL_ASSEMBLY));
      SCREE_PETSC(MatAssemblyEnd(a.get(), MAT_FINAL_ASSEMBLY));
      std::vector<PetscInt> sizes(n, 1);
      SCREE_PETSC(MatSetVariableBlockSizes(a.get(), n, sizes.data()));
      const petsc::Vector rhs = petsc::make_vector(PETSC_COMM_SELF, n);
      const petsc::Vector x = petsc::duplicate(rhs.get());
      petsc::View(rhs.get())[0] = 2.0;
      solver.expect_new_pattern();
      solver.use(a.get());
      ASSERT_TRUE(solver.solve(rhs.get(), x.get(), 1e-14)) << solver.note();
      const bool fits = method == LinearMethod::automatic && n <= kMostRows;
      EXPECT_EQ(solver.direct(), method == LinearMethod::factorisation || fits) << n;
      for (PetscInt i = 0; i < n; ++i) {  // by forward substitution
        EXPECT_NEAR(petsc::ConstView(x.get())[i], std::pow(0.5, i), 1e-13);
      }
    }
  }
}

/// -d2/dx2 on so many points, whose conjugate gradients need as many iterations.
petsc::Matrix second_difference(PetscInt n) {
  petsc::Matrix a;
  SCREE_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 3, nullptr, a.out()));
  for (PetscInt i = 0; i < n; ++i) {
    SCREE_PETSC(MatSetValue(a.get(), i, i, 2.0, INSERT_VALUES));
    if (i > 0) SCREE_PETSC(MatSetValue(a.get(), i, i - 1, -1.0, INSERT_VALUES));
    if (i + 1 < n) SCREE_PETSC(MatSetValue(a.get(), i, i + 1, -1.0, INSERT_VALUES));
  }
  SCREE_PETSC(MatAssemblyBegin(a.get(), MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(a.get(), MAT_FINAL_ASSEMBLY));
  std::vector<PetscInt> sizes(n, 1);
  SCREE_PETSC(MatSetVariableBlockSizes(a.get(), n, sizes.data()));
  return a;
}

/// A system that takes conjugate gradients 400 iterations.
struct LongSystem {
  static constexpr PetscInt kPoints = 400;
  petsc::Matrix a = second_difference(kPoints);
  petsc::Vector rhs = petsc::make_vector(PETSC_COMM_SELF, kPoints);
  petsc::Vector x = petsc::make_vector(PETSC_COMM_SELF, kPoints);

  LongSystem() { SCREE_PETSC(VecSet(rhs.get(), 1.0)); }
};

/// A Krylov method asks while it iterates, and where there is no time nothing takes its place.
TEST(LinearSolver, AKrylovMethodEndsWhereThereIsNoTime) {
  const LongSystem system;
  const auto& [a, rhs, x] = system;
  for (const auto method :
       {KrylovMethod::conjugate_gradients, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
    int asked = 0;
    LinearOptions options;
    options.method = LinearMethod::krylov;
    options.krylov = method;
    options.preconditioner = Preconditioner::none;
    options.accept_unfinished = true;
    options.out_of_time = [&asked] { return ++asked == 3; };
    LinearSolver solver(options, {.symmetric = true, .definite = true, .uniform_blocks = false});
    solver.use(a.get());
    EXPECT_FALSE(solver.solve(rhs.get(), x.get(), 1e-12));
    EXPECT_TRUE(solver.out_of_time());
    EXPECT_FALSE(solver.direct());
    EXPECT_EQ(solver.krylov(), 60);  // 20 from look to look
    EXPECT_EQ(solver.unfinished(), 0);
    EXPECT_TRUE(solver.solve(rhs.get(), x.get(), 1e-6)) << solver.note();
    EXPECT_FALSE(solver.out_of_time());
  }
}

/// An exception of the question comes out behind PETSc.
TEST(LinearSolver, AKrylovMethodEndsWhereItIsGivenUp) {
  const LongSystem system;
  const auto& [a, rhs, x] = system;
  LinearOptions options;
  options.method = LinearMethod::krylov;
  bool given_up = true;
  options.out_of_time = [&given_up]() -> bool {
    if (given_up) throw Failure("no more");
    return false;
  };
  LinearSolver solver(options, {.symmetric = true, .definite = true, .uniform_blocks = false});
  solver.use(a.get());
  EXPECT_THROW(static_cast<void>(solver.solve(rhs.get(), x.get(), 1e-12)), Failure);
  given_up = false;
  EXPECT_TRUE(solver.solve(rhs.get(), x.get(), 1e-12)) << solver.note();
}

}  // namespace
}  // namespace scree
