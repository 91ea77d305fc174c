#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>

#include "scree/problem/body_rows.hpp"
#include "scree/problem/contact_error.hpp"
#include "scree/problem/measure.hpp"
#include "support/dense_problem.hpp"
#include "support/problems.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(Mat m) {
  PetscInt rows = 0;
  PetscInt columns = 0;
  SCREE_PETSC(MatGetSize(m, &rows, &columns));
  MatrixXd d = MatrixXd::Zero(rows, columns);
  for (PetscInt i = 0; i < rows; ++i) {
    PetscInt n = 0;
    const PetscInt* c = nullptr;
    const double* v = nullptr;
    SCREE_PETSC(MatGetRow(m, i, &n, &c, &v));
    for (PetscInt k = 0; k < n; ++k) d(i, c[k]) = v[k];
    SCREE_PETSC(MatRestoreRow(m, i, &n, &c, &v));
  }
  return d;
}

VectorXd dense(Vec v) {
  const petsc::ConstView view(v);
  return Eigen::Map<const VectorXd>(view.data(), static_cast<Eigen::Index>(view.size()));
}

/// fc_error.py's formulas over again, on dense matrices and by projections written otherwise: the
/// projection of x is x's nearest point, found on the axis of x_t.
VectorXd nearest(const VectorXd& x, double mu) {
  VectorXd p = VectorXd::Zero(x.size());
  if (x.size() == 1) {
    p[0] = x[0] > 0 ? x[0] : 0;
    return p;
  }
  const VectorXd t = x.tail(x.size() - 1);
  if (t.norm() <= mu * x[0]) return x;
  VectorXd ray(x.size());  // the generator of the cone in the plane of x
  ray << 1.0, mu * t / std::max(t.norm(), 1e-300);
  const double along = x.dot(ray) / ray.squaredNorm();
  if (along > 0) p = along * ray;
  return p;
}

/// J M^-1 J^T + R.
MatrixXd delassus_by_hand(const ContactProblem& problem) {
  const MatrixXd j = dense(jacobian(problem));
  MatrixXd n = j * dense(inverse_mass(problem)) * j.transpose();
  for (Eigen::Index k = 0; k < n.rows(); ++k) {
    n(k, k) += problem.compliance_of(k);
  }
  return n;
}

Measures measures_by_hand(const ContactProblem& problem, const VectorXd& lambda) {
  const MatrixXd n = delassus_by_hand(problem);
  const VectorXd r = dense(problem.r.get());
  const VectorXd u = n * lambda + r;
  const std::vector<double> coefficients = friction_coefficients(problem.cones);
  double energy_w = 0;
  double energy_lambda = 0;
  double energy_zero = 0;
  double work = 0;
  Measures m;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const Eigen::Index first = problem.cones.offset[i];
    const Eigen::Index dim = problem.cones.dim(i);
    const double mu = coefficients[i];
    const double rho = static_cast<double>(dim) / n.block(first, first, dim, dim).trace();
    VectorXd s = u.segment(first, dim);
    VectorXd free = r.segment(first, dim);
    if (law_of(problem.cones) == FrictionLaw::coulomb) {
      s[0] += mu * s.tail(dim - 1).norm();
      free[0] += mu * free.tail(dim - 1).norm();
    }
    const VectorXd l = lambda.segment(first, dim);
    const VectorXd w = l - nearest(l - rho * s, mu);
    energy_w += w.squaredNorm() / rho;
    energy_lambda += l.squaredNorm() / rho;
    energy_zero += nearest(-rho * free, mu).squaredNorm() / rho;
    work += l.dot(s);
    m.velocity_error = std::max(m.velocity_error, w.norm() / rho);
    m.feasibility = std::max(
        {m.feasibility, mu * s.tail(dim - 1).norm() - s[0], l.tail(dim - 1).norm() - mu * l[0]});
  }
  m.residual = std::sqrt(energy_w / std::max(energy_lambda, energy_zero));
  m.cost = std::abs(work) / static_cast<double>(problem.cones.count());
  m.error = std::max(m.cost, m.feasibility);
  return m;
}

void expect_same_measures(const Measures& a, const Measures& b) {
  const auto near = [](double x, double y) { EXPECT_NEAR(x, y, 1e-8 * std::abs(y) + 1e-12); };
  near(a.residual, b.residual);
  near(a.velocity_error, b.velocity_error);
  near(a.cost, b.cost);
  near(a.feasibility, b.feasibility);
  near(a.error, b.error);
}

void expect_diagonal_blocks(const ContactProblem& problem, const MatrixXd& n) {
  const std::vector<double>& blocks = delassus_diagonal_blocks(problem);
  std::size_t at = 0;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const int dim = problem.cones.dim(i);
    for (int k = 0; k < dim; ++k) {
      for (int l = 0; l < dim; ++l, ++at) {
        ASSERT_LT(at, blocks.size());
        const double exact = n(problem.cones.offset[i] + k, problem.cones.offset[i] + l);
        EXPECT_NEAR(blocks[at], exact, 1e-12 * n.norm());
      }
    }
  }
  EXPECT_EQ(at, blocks.size());
}

class MeasureOnMixedCones : public ::testing::TestWithParam<FrictionLaw> {};

TEST_P(MeasureOnMixedCones, FollowsTheFormulas) {
  test::ProblemBuilder builder = test::random_graph(12, 40, 7, true, true);
  builder.soften({.normal = 0.2, .tangential = 0.4});
  const ContactProblem problem = builder.build(MPI_COMM_SELF, GetParam(), "test");
  ASSERT_TRUE(has_body_rows(problem));
  Measurer measurer(problem);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const Measures zero = measurer.measure(lambda.get());
  expect_same_measures(zero, measures_by_hand(problem, dense(lambda.get())));
  EXPECT_NEAR(zero.residual, 1.0, 1e-14);
  std::mt19937 generator(1);
  for (int trial = 0; trial < 5; ++trial) {
    {
      const petsc::View l(lambda.get());
      for (double& x : l.span()) x = static_cast<double>(generator()) / 4294967296.0 - 0.3;
    }
    expect_same_measures(measurer.measure(lambda.get()),
                         measures_by_hand(problem, dense(lambda.get())));
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, MeasureOnMixedCones,
                         ::testing::Values(FrictionLaw::associated, FrictionLaw::coulomb));

TEST(Measure, IsOneAtRestAndZeroAtTheSolution) {
  const double angle = 0.3;
  const ContactProblem problem =
      test::ball_on_slope(angle, 0.5).build(MPI_COMM_SELF, FrictionLaw::coulomb, "slope");
  Measurer measurer(problem);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  EXPECT_DOUBLE_EQ(measurer.measure(lambda.get()).residual, 1.0);
  // rolling without slip: the tangential impulse stops the contact point, with the effective mass
  // 2/7 m of a ball
  const VectorXd r = dense(problem.r.get());
  {
    const petsc::View l(lambda.get());
    l[0] = -2.0 * r[0];
    for (std::size_t k : {1U, 2U}) l[k] = -2.0 * 2.0 / 7.0 * r[static_cast<Eigen::Index>(k)];
  }
  const Measures m = measurer.measure(lambda.get());
  EXPECT_NEAR(m.residual, 0.0, 1e-14);
  EXPECT_NEAR(m.dilation, 0.0, 1e-14);
}

TEST(Measure, OfNoContactIsZero) {
  test::ProblemBuilder builder;
  builder.add_ball(1.0, 0.1, test::falling(1e-2));
  const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "empty");
  Measurer measurer(problem);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const Measures m = measurer.measure(lambda.get());
  EXPECT_EQ(m.residual, 0.0);
  EXPECT_EQ(m.cost, 0.0);
  EXPECT_EQ(m.velocity_error, 0.0);
}

/// The measures of @p problem, a matrix, with W times @p mass and r times @p speed, at an impulse
/// that is scaled alike.
Measures measures_scaled(const ContactProblem& product, double mass, double speed) {
  ContactProblem problem = test::as_matrix(product);
  SCREE_PETSC(MatScale(problem.delassus.matrix.get(), mass));
  SCREE_PETSC(VecScale(problem.r.get(), speed));
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  {
    const petsc::View l(lambda.get());
    std::mt19937 generator(2);
    for (double& x : l.span())
      x = (static_cast<double>(generator()) / 4294967296.0 - 0.3) * (speed / mass);
  }
  return Measurer(problem).measure(lambda.get());
}

// Squares of such numbers are none. Powers of two scale exactly; sums of energies are of other
// numbers.
TEST(Measure, ResidualDoesNotDependOnTheUnits) {
  const ContactProblem product =
      test::random_graph(6, 15, 7, true).build(MPI_COMM_SELF, FrictionLaw::coulomb, "test");
  const Measures plain = measures_scaled(product, 1.0, 1.0);
  ASSERT_GT(plain.residual, 1e-3);
  for (const double mass : {std::ldexp(1.0, -480), std::ldexp(1.0, 480)}) {
    for (const double speed : {std::ldexp(1.0, -500), 1.0, std::ldexp(1.0, 250)}) {
      const Measures scaled = measures_scaled(product, mass, speed);
      EXPECT_NEAR(scaled.residual, plain.residual, 1e-12 * plain.residual) << mass << ' ' << speed;
      EXPECT_NEAR(scaled.velocity_error / speed, plain.velocity_error, 1e-12);
      EXPECT_NEAR(scaled.remaining, plain.remaining, 1e-12 * plain.remaining);
    }
  }
}

// Of two contacts that do not feel each other the first is solved, and the second, whose energy is
// 1e-60 of the first's, is not touched: it approaches at full speed.
TEST(Measure, SeesContactsThatAreTooLightForEnergies) {
  const ContactProblem problem =
      test::Lcp{Eigen::Vector2d(1.0, 1e60).asDiagonal(), Eigen::Vector2d(-1.0, -1.0)}.build(
          MPI_COMM_SELF);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  petsc::View(lambda.get())[0] = 1.0;
  EXPECT_DOUBLE_EQ(Measurer(problem).measure(lambda.get()).residual, 1.0);
  petsc::View(lambda.get())[1] = 1e-60;
  EXPECT_NEAR(Measurer(problem).measure(lambda.get()).residual, 0.0, 1e-15);
}

// u_n + mu |u_t| loses u_n, so that an approach looks closed: at the limit and above it, nothing is
// certified.
TEST(Measure, IsNoneWhereFrictionHidesTheNormalVelocity) {
  const auto residual = [](double mu) {
    const ContactProblem problem = test::dense_problem(
        Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1e-3, 1.0, 0.0), mu, FrictionLaw::coulomb);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    return Measurer(problem).measure(lambda.get()).residual;
  };
  EXPECT_DOUBLE_EQ(residual(kLargestLimit), 1.0);
  EXPECT_TRUE(std::isnan(residual(2.0 * kLargestLimit)));
  EXPECT_TRUE(std::isnan(residual(1e17)));
  EXPECT_TRUE(std::isnan(residual(1e200)));
}

/// Impulses in and around the cones, the same each time.
petsc::Vector some_impulses(const ContactProblem& problem) {
  petsc::Vector lambda = petsc::duplicate(problem.r.get());
  std::mt19937 generator(5);
  for (double& x : petsc::View(lambda.get()).span()) {
    x = static_cast<double>(generator()) / 4294967296.0 - 0.3;
  }
  return lambda;
}

/// By dense matrices @p n and its size |N|, for exact friction.
double contact_error_by_hand(const ContactProblem& problem, const MatrixXd& n,
                             const MatrixXd& size_of_n, const VectorXd& lambda) {
  const VectorXd r = dense(problem.r.get());
  const VectorXd u = n * lambda + r;
  const VectorXd sizes = size_of_n * lambda.cwiseAbs() + r.cwiseAbs();
  const std::vector<double> coefficients = friction_coefficients(problem.cones);
  double worst = 0.0;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const Eigen::Index first = problem.cones.offset[i];
    const Eigen::Index dim = problem.cones.dim(i);
    const double rho = static_cast<double>(dim) / n.block(first, first, dim, dim).trace();
    VectorXd s = u.segment(first, dim);
    s[0] += coefficients[i] * s.tail(dim - 1).norm();
    const VectorXd l = lambda.segment(first, dim);
    const VectorXd w = l - nearest(l - rho * s, coefficients[i]);
    worst = std::max(worst, w.norm() / rho / sizes.segment(first, dim).maxCoeff());
  }
  return worst;
}

TEST(ContactErrors, FollowTheFormulasInAllForms) {
  test::ProblemBuilder builder = test::random_graph(12, 40, 7, true, true);
  builder.soften({.normal = 0.2, .tangential = 0.4});
  const ContactProblem product = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "test");
  const ContactProblem matrix = test::as_matrix(product);
  const petsc::Vector lambda = some_impulses(product);
  const MatrixXd j = dense(jacobian(product)).cwiseAbs();
  MatrixXd size = j * dense(inverse_mass(product)).cwiseAbs() * j.transpose();
  for (Eigen::Index k = 0; k < size.rows(); ++k) size(k, k) += product.compliance_of(k);
  const MatrixXd n = delassus_by_hand(product);
  const VectorXd at = dense(lambda.get());
  const double by_bodies = contact_error_by_hand(product, n, size, at);
  const double by_matrix = contact_error_by_hand(matrix, n, n.cwiseAbs(), at);
  EXPECT_GT(by_bodies, 1e-2);
  EXPECT_NEAR(ContactErrors(product).largest(lambda.get()), by_bodies, 1e-12);
  EXPECT_NEAR(ContactErrors(matrix).largest(lambda.get()), by_matrix, 1e-12);
}

// Powers of two scale exactly. Between contacts energies then differ by up to 2^160, 1e48.
TEST(ContactErrors, DoNotDependOnTheUnitsOfAnyContact) {
  const ContactProblem product =
      test::random_graph(6, 15, 7, true).build(MPI_COMM_SELF, FrictionLaw::coulomb, "test");
  const ContactProblem plain = test::as_matrix(product);
  const petsc::Vector lambda = some_impulses(plain);
  const double error = ContactErrors(plain).largest(lambda.get());
  ASSERT_GT(error, 1e-2);
  std::mt19937 generator(3);
  const petsc::Vector units = petsc::duplicate(plain.r.get());
  for (std::size_t i = 0; i < plain.cones.count(); ++i) {
    const double unit = std::ldexp(1.0, static_cast<int>(generator() % 81) - 40);
    const std::span<double> rows = petsc::View(units.get()).span();
    std::ranges::fill(rows.subspan(plain.cones.row(i), plain.cones.dim(i)), unit);
  }
  const ContactProblem scaled = test::as_matrix(product);
  SCREE_PETSC(MatDiagonalScale(scaled.delassus.matrix.get(), units.get(), units.get()));
  SCREE_PETSC(VecPointwiseMult(scaled.r.get(), plain.r.get(), units.get()));
  SCREE_PETSC(VecPointwiseDivide(lambda.get(), lambda.get(), units.get()));
  EXPECT_DOUBLE_EQ(ContactErrors(scaled).largest(lambda.get()), error);
}

// The second contact's energy is 1e-12 of the first's: the residual, 1e-6, does not say that it is
// not touched.
TEST(ContactErrors, TellWhatEnergiesHide) {
  const ContactProblem problem =
      test::Lcp{Eigen::Vector2d(1.0, 1e12).asDiagonal(), Eigen::Vector2d(-1.0, -1.0)}.build(
          MPI_COMM_SELF);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  petsc::View(lambda.get())[0] = 1.0;
  EXPECT_NEAR(Measurer(problem).measure(lambda.get()).residual, 1e-6, 1e-12);
  EXPECT_DOUBLE_EQ(ContactErrors(problem).largest(lambda.get()), 1.0);
  petsc::View(lambda.get())[1] =
      0.5e-12;  // half of what it needs: 0.5 m/s of the 1 + 0.5 that there are in all
  EXPECT_NEAR(ContactErrors(problem).largest(lambda.get()), 1.0 / 3.0, 1e-15);
  petsc::View(lambda.get())[1] = 1e-12;
  EXPECT_NEAR(ContactErrors(problem).largest(lambda.get()), 0.0, 1e-15);
}

// A grain of 1e-12 kg between two of 1 kg that others press together: u of its contacts is the
// difference of velocities of 1e12 m/s. An impulse that is wrong by its last digit, 2e-16, is as
// good as there is, and moves it by 2e-4 m/s.
TEST(ContactErrors, AreSmallWhereRoundingAllowsNoMore) {
  const Eigen::Matrix2d n{{1e12 + 1.0, -1e12}, {-1e12, 1e12 + 1.0}};
  const ContactProblem problem = test::Lcp{n, Eigen::Vector2d(-1.0, -1.0)}.build(MPI_COMM_SELF);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  {
    const petsc::View l(lambda.get());
    l[0] = 1.0;
    l[1] = 1.0 + std::numeric_limits<double>::epsilon();
  }
  EXPECT_GT(Measurer(problem).measure(lambda.get()).velocity_error, 1e-4);
  EXPECT_LT(ContactErrors(problem).largest(lambda.get()), 1e-15);
}

TEST(ContactErrors, AreInfiniteOfWhatIsNotFiniteAndNoneOfNothing) {
  const ContactProblem problem = test::stack(3).build(MPI_COMM_SELF, FrictionLaw::coulomb, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  petsc::View(lambda.get())[4] = std::nan("");
  EXPECT_TRUE(std::isinf(ContactErrors(problem).largest(lambda.get())));
  test::ProblemBuilder builder;
  builder.add_ball(1.0, 0.1, test::falling(1e-2));
  const ContactProblem empty = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "empty");
  EXPECT_EQ(ContactErrors(empty).largest(petsc::duplicate(empty.r.get()).get()), 0.0);
}

TEST(Measure, LeavesTheVelocitiesOfTheBodiesThatItMeasuredWith) {
  const ContactProblem problem =
      test::random_graph(40, 90, 3, true).build(MPI_COMM_SELF, FrictionLaw::coulomb, "test");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  {
    const petsc::View l(lambda.get());
    for (std::size_t k = 0; k < l.size(); ++k) l[k] = std::sin(1.0 + static_cast<double>(k));
  }
  Measurer measurer(problem);
  const Measures afresh = measurer.measure(lambda.get());
  const KnownVelocities known_velocities = measurer.body_velocities();
  ASSERT_TRUE(known_velocities.has_value());
  const std::span<const double> velocities = *known_velocities;
  const petsc::Vector end = end_velocity(problem, lambda.get());
  const petsc::ConstView v(end.get());
  const petsc::ConstView free(problem.v_free.get());
  ASSERT_EQ(velocities.size(), v.size());
  for (std::size_t k = 0; k < v.size(); ++k) {
    EXPECT_NEAR(velocities[k], v[k] - free[k], 1e-12 * (1.0 + std::abs(v[k]))) << k;
  }
  const std::vector<double> seen(velocities.begin(), velocities.end());
  const petsc::Vector u = petsc::duplicate(lambda.get());
  measurer.product().contact_velocity(lambda.get(), u.get());
  EXPECT_FALSE(measurer.body_velocities().has_value());  // the product has been used for others
  EXPECT_FALSE(measurer.release_body_velocities().has_value());
  measurer.measure(lambda.get());
  EXPECT_EQ(measurer.release_body_velocities(), seen);
  EXPECT_FALSE(measurer.body_velocities().has_value());
  EXPECT_EQ(measurer.measure(lambda.get()).residual, afresh.residual);
  EXPECT_EQ(measurer.release_body_velocities(), seen);
  const Measures known = measurer.measure(lambda.get(), u.get());
  EXPECT_FALSE(measurer.body_velocities().has_value());
  EXPECT_NEAR(afresh.residual, known.residual, 1e-12 * known.residual);
  EXPECT_NEAR(afresh.velocity_error, known.velocity_error, 1e-12 * known.velocity_error);
  EXPECT_NEAR(afresh.cost, known.cost, 1e-12 * known.cost);
}

TEST(Measure, CarriesNaN) {
  const ContactProblem problem = test::stack(3).build(MPI_COMM_SELF, FrictionLaw::coulomb, "stack");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  petsc::View(lambda.get())[4] = std::nan("");  // of one contact among sound ones
  const Measures m = Measurer(problem).measure(lambda.get());
  for (const double value :
       {m.residual, m.velocity_error, m.dilation, m.remaining, m.cost, m.feasibility, m.error}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

/// J and M^-1 as they were given come back from block rows, and N is the same in all its forms.
TEST(Delassus, FormsAgree) {
  test::ProblemBuilder builder = test::random_graph(9, 30, 3, true, true);
  for (const bool soft : {false, true}) {
    if (soft) builder.soften({.normal = 0.3, .tangential = 0.7});
    const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "test");
    EXPECT_EQ(problem.compliance.empty(), !soft);
    const MatrixXd n = delassus_by_hand(problem);
    EXPECT_LT((dense(assemble_delassus(problem).get()) - n).norm(), 1e-12 * n.norm());
    const petsc::Vector x = petsc::duplicate(problem.r.get());
    const petsc::Vector y = petsc::duplicate(problem.r.get());
    for (const std::size_t unit : {0U, 7U, 20U}) {
      SCREE_PETSC(VecSet(x.get(), 0.0));
      petsc::View(x.get())[unit] = 1.0;
      DelassusProduct(problem).apply(x.get(), y.get());
      EXPECT_LT((dense(y.get()) - n.col(static_cast<Eigen::Index>(unit))).norm(), 1e-12 * n.norm());
    }
    const ContactProblem matrix = test::as_matrix(problem);
    expect_diagonal_blocks(problem, n);
    expect_diagonal_blocks(matrix, n);
  }
}

/// A ball on the floor has the Jacobian of its contact point: (axis, arm x axis).
TEST(BlockRows, GiveTheMatricesTheyWereMadeOf) {
  const ContactProblem problem =
      test::ball_on_slope(0.3, 0.5).build(MPI_COMM_SELF, FrictionLaw::coulomb, "slope");
  ASSERT_TRUE(problem.delassus.blocks);
  const MatrixXd j = dense(jacobian(problem));
  ASSERT_EQ(j.rows(), 3);
  ASSERT_EQ(j.cols(), 6);
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = j.row(k).head<3>().transpose();
    EXPECT_NEAR(axis.norm(), 1.0, 1e-15);
    EXPECT_LT((Vec3(j.row(k).tail<3>().transpose()) - Vec3(0, 0, -0.1).cross(axis)).norm(), 1e-15);
  }
  EXPECT_EQ(Vec3(j.row(0).head<3>().transpose()), Vec3::UnitZ());
  // a ball of 2 kg and 0.1 m: I = 2/5 m r^2
  const MatrixXd m = dense(inverse_mass(problem));
  Vec6 expected;
  expected << 0.5, 0.5, 0.5, 125.0, 125.0, 125.0;
  EXPECT_LT((m - MatrixXd(expected.asDiagonal())).norm(), 1e-12);
}

/// A block that slides along both tangents, by hand.
TEST(Pyramid, MeasuresOfTheLawBox) {
  test::ProblemBuilder builder;
  Vec6 velocity = Vec6::Zero();
  velocity.head<3>() = Vec3(0.5, -0.7, -1.0);
  const int block = builder.add_ball(2.0, 0.1, velocity, 0b111000U);
  builder.add_contact(block, -1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3::Zero(), 0.0, 0.1, 3);
  const ContactProblem problem = builder.build(MPI_COMM_SELF, FrictionLaw::box, "block");
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  Measurer measurer(problem);
  EXPECT_NEAR(measurer.measure(lambda.get()).residual, 1.0, 1e-12);
  {
    const petsc::View l(lambda.get());
    const petsc::ConstView r(problem.r.get());
    l[0] = 2.0;  // stops the fall
    for (std::size_t k = 1; k < 3; ++k) l[k] = -std::copysign(0.2, r[k]);
  }
  EXPECT_LE(measurer.measure(lambda.get()).error, 1e-14);
  EXPECT_LE(measurer.measure(lambda.get()).residual, 1e-14);
  petsc::View(lambda.get())[1] *= 1.5;  // beyond its bound
  EXPECT_NEAR(measurer.measure(lambda.get()).feasibility, 0.1, 1e-12);
}

}  // namespace
}  // namespace scree
