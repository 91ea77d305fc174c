#include "solver/interior_point/ipm_path.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace scree::ipm {
namespace {

/// One contact, whose linear solver gives steps that lead out of the cone at once.
class Hopeless final : public System {
 public:
  void set_bias(Points /*c*/) override {}
  bool start(double shift, Points& x, Points& y) override {
    shifts.push_back(shift);
    x.assign({shift, 0.0, 0.0});
    y = x;
    return true;
  }
  double residuals(const Points& /*x*/, const Points& /*y*/, Points& r_y) override {
    r_y.assign(3, 0.0);
    return 1.0;
  }
  void prepare(const Scaling& /*scaling*/) override {}
  bool solve(const Scaling& scaling, const Points& g, const Points& /*r_y*/, double /*tolerance*/,
             bool /*from_last*/, Points& scaled_dx) override {
    scaled_dx = scaling.v;
    for (double& value : scaled_dx) value *= -1e9;
    EXPECT_EQ(g.size(), scaled_dx.size());
    return solves;
  }
  void advance(double /*theta*/) override {}
  const LinearSolver& linear() const override { return linear_; }

  std::vector<double> shifts;
  bool solves = true;

 private:
  LinearSolver linear_{{}, {}};
};

/// An observer's record of one start must not judge the next: it is told which one it sees.
TEST(IpmPath, EveryIterateTellsItsStart) {
  Hopeless system;
  Cones cones;
  cones.append(3, 0.5, FrictionLaw::associated);
  std::vector<int> attempts;
  const auto observe = [&](const Iterate& at) {
    EXPECT_EQ(static_cast<std::size_t>(at.attempt) + 1, system.shifts.size());
    if (attempts.empty() || attempts.back() != at.attempt) attempts.push_back(at.attempt);
    return false;
  };
  EXPECT_EQ(follow_path(MPI_COMM_SELF, cones, system, Points(3, 0.0), IpmOptions(), observe),
            PathEnd::stalled);
  EXPECT_EQ(attempts, (std::vector<int>{0, 1, 2}));
  for (std::size_t k = 1; k < system.shifts.size(); ++k) {
    EXPECT_DOUBLE_EQ(system.shifts[k], 10.0 * system.shifts[k - 1]);
  }
}

/// A direction that no linear solver found leads astray, finite as it may be: with `strict`, where
/// solves that run out of iterations are taken, only one that broke down is not solved.
TEST(IpmPath, StrictEndsWhereALinearSolverBreaksDown) {
  Hopeless system;
  system.solves = false;
  Cones cones;
  cones.append(3, 0.5, FrictionLaw::associated);
  const auto follow = [&](bool strict) {
    IpmOptions options;
    options.strict = strict;
    int seen = 0;
    const PathEnd end =
        follow_path(MPI_COMM_SELF, cones, system, Points(3, 0.0), options, [&](const Iterate&) {
          ++seen;
          return false;
        });
    return std::pair(end, seen);
  };
  EXPECT_EQ(follow(false), std::pair(PathEnd::stalled, 12));
  EXPECT_EQ(follow(true), std::pair(PathEnd::breakdown, 1));
}

}  // namespace
}  // namespace scree::ipm
