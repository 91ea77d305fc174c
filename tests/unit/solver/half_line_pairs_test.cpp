#include "solver/gradient/half_line_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/gradient/gradient.hpp"
#include "support/repeated_rows.hpp"

namespace scree {
namespace {

constexpr double kPairStep = 0.3;
constexpr double kPairMomentum = 0.4;

/// Steps by rows, one part after another: N by its product, the pairs' steps by ProjectedStep.
class StepsByRows {
 public:
  explicit StepsByRows(const ContactProblem& problem)
      : measurer_(problem),
        step_(problem, measurer_.rho(), pair_blocks_of(problem)),
        values_(petsc::duplicate(problem.r.get())),
        result_(petsc::duplicate(problem.r.get())),
        r_(to_rows(problem.r.get())),
        x(problem.cones.rows(), 0.0),
        before_(x) {}

  GradientSums run(double t, double momentum) {
    Rows y = x;
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += momentum * (x[k] - before_[k]);
    Rows u = times(y);
    for (std::size_t k = 0; k < y.size(); ++k) u[k] += r_[k];
    Rows next(y.size(), 0.0);
    step_.take(y, u, std::vector<double>(y.size(), 0.0), t, next);
    Rows d = next;
    Rows change = next;
    for (std::size_t k = 0; k < y.size(); ++k) {
      d[k] -= y[k];
      change[k] -= x[k];
    }
    const auto [moved, along] = step_.scaled_dots(d, change);
    const Rows response = times(d);
    double curvature = 0.0;
    for (std::size_t k = 0; k < y.size(); ++k) curvature += d[k] * response[k];
    before_ = x;
    x = next;
    return {moved, along, curvature};
  }

 private:
  Rows times(const Rows& values) {
    to_vec(values, values_.get());
    measurer_.product().apply(values_.get(), result_.get());
    return to_rows(result_.get());
  }

  Measurer measurer_;
  ProjectedStep step_;
  petsc::Vector values_;
  petsc::Vector result_;
  Rows r_;

 public:
  Rows x;

 private:
  Rows before_;
};

/// Rounding of 1e-16 in sums over a few hundred rows is passed on by twelve steps, and grows where
/// rows of a pair differ by 1e-2 by the condition of their block, some 1e4.
void expect_steps_by_rows(const ContactProblem& problem, std::size_t columns) {
  constexpr double kShare = 1e-9;
  StepsByRows expected(problem);
  ASSERT_TRUE(are_half_line_pairs(problem));
  HalfLinePairs pairs(problem, pair_blocks_of(problem));
  EXPECT_EQ(pairs.stride(), stride_of(columns));
  std::vector<double> x(problem.cones.rows(), 0.0);
  const auto start = [&pairs, &x] {
    pairs.start(x);
    pairs.move_on(0.0);
  };
  start();
  for (int s = 0; s < 12; ++s) {
    const double momentum = s % 6 == 0 ? 0.0 : kPairMomentum;
    if (s == 6) start();  // where they are, with nothing but the impulses
    const GradientSums sums = expected.run(kPairStep, momentum);
    GradientSums own = pairs.step(kPairStep, momentum);
    own.curvature += pairs.curvature_of_bodies();
    pairs.move_on(s == 5 ? 0.0 : kPairMomentum);
    pairs.impulses(x);
    EXPECT_NEAR(own.moved, sums.moved, kShare * sums.moved);
    EXPECT_NEAR(own.along, sums.along, kShare * sums.moved);
    EXPECT_NEAR(own.curvature, sums.curvature, kShare * sums.curvature);
    const double largest = *std::ranges::max_element(x);
    EXPECT_GT(largest, 0.0);
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_NEAR(x[k], expected.x[k], kShare * largest) << s << " " << k;
    }
  }
}

TEST(HalfLinePairs, StepAsRowsDo) {
  for (const int rows : {1, 2, 3, 4, 5, 8, 9}) {
    expect_steps_by_rows(
        test::bed_of_repeated_rows(3, rows, 1e-2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "bed"),
        6);
  }
}

TEST(HalfLinePairs, StepAsRowsDoInAPlane) {
  for (const int rows : {1, 3}) {
    expect_steps_by_rows(
        test::growing_colony(6, rows, 1e-2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "colony"),
        3);
  }
}

TEST(HalfLinePairs, StepAsRowsDoWhereContactsYield) {
  test::ProblemBuilder builder = test::bed_of_repeated_rows(3, 2, 1e-2);
  builder.soften({.normal = 10.0});
  expect_steps_by_rows(builder.build(MPI_COMM_SELF, FrictionLaw::coulomb, "soft"), 6);
}

}  // namespace
}  // namespace scree
