/// Rounding on the path of ipm near its end, where Nesterov and Todd's scaling has values 1e16
/// apart.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "scree/problem/body_rows.hpp"
#include "scree/problem/measure.hpp"
#include "solver/interior_point/ipm_path.hpp"
#include "solver/interior_point/ipm_units.hpp"
#include "support/problems.hpp"

namespace scree::ipm {
namespace {

struct PathRecord {
  double least_alpha = std::numeric_limits<double>::infinity();
  double late_infeasibility = 0.0;  ///< the largest of iterates with alpha below kLate
};

constexpr double kLate = 1e-8;
constexpr double kEnd = 1e-14;
constexpr int kIterations = 60;

/// The path of @p problem with factorised steps, to alpha = kEnd.
PathRecord follow(const ContactProblem& problem) {
  IpmOptions options;
  options.linear_solver = LinearSolverName::mumps;
  Measurer measurer(problem);
  const Units units = make_units(problem, measurer.rho());
  const auto system = has_body_rows(problem) ? make_body_system(problem, units, options)
                                             : make_contact_system(problem, units, options);
  PathRecord record;
  int iterations = 0;
  follow_path(problem.comm, problem.cones, *system, to_units(units, problem.r.get()), options,
              [&](const Iterate& at) {
                record.least_alpha = std::min(record.least_alpha, at.alpha);
                if (at.alpha < kLate) {
                  record.late_infeasibility = std::max(record.late_infeasibility, at.infeasibility);
                }
                return at.alpha < kEnd || ++iterations >= kIterations;
              });
  return record;
}

/// y = N x + c, once reached, holds to the end to a tenth of the residual that is usually asked
/// for, 1e-8: a step must not add to it the rounding of dx, which S, of up to 1e14, makes 1e-5 on
/// every machine.
void expect_balance_to_the_end(const ContactProblem& problem) {
  constexpr double kLastDigits = 1e-9;
  const PathRecord record = follow(problem);
  EXPECT_LT(record.least_alpha, kEnd);
  EXPECT_LT(record.late_infeasibility, kLastDigits);
}

TEST(IpmRounding, BalanceHoldsToTheEndOfThePath) {
  for (const double softness : {0.0, 1e-3}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(testing::Message() << "softness " << softness << ", seed " << seed);
      auto builder = test::random_graph(25, 60, seed);
      builder.soften({softness, softness / 0.8});
      const ContactProblem problem =
          builder.build(PETSC_COMM_SELF, FrictionLaw::associated, "test");
      expect_balance_to_the_end(problem);
      expect_balance_to_the_end(test::as_matrix(problem));
    }
  }
}

}  // namespace
}  // namespace scree::ipm
