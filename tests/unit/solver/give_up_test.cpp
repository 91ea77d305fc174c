#include <gtest/gtest.h>

#include "scree/solver/driver.hpp"
#include "support/lcps.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

/// Random contacts, or where the method takes none with friction a random LCP, large enough for
/// several looks of lemke's.
ContactProblem problem_for(const SolverEntry& entry, FrictionLaw law) {
  return entry.needs.cones == kSetOf<cones::HalfLine>
             ? test::random_lcp(300, 1, 1.0).build(MPI_COMM_SELF)
             : test::random_graph(30, 60, 1).build(MPI_COMM_SELF, law, "random");
}

/// Each method looks before it begins and while it goes, and stops wherever it is told to: a step
/// ends soon after it is asked to, whichever method is at it.
TEST(GiveUp, EveryMethodLooksWhileItGoes) {
  for (const SolverEntry& entry : solver_registry()) {
    for (const FrictionLaw law :
         {FrictionLaw::associated, FrictionLaw::coulomb, FrictionLaw::box}) {
      const ContactProblem problem = problem_for(entry, law);
      if (!fault_of_method(entry.name, traits_of(problem)).empty()) continue;
      SolverDriver driver(test::only(entry.name, 1e-12));
      for (int wanted = 1; wanted <= 3; ++wanted) {
        int asked = 0;
        Goal goal = driver.goal();
        goal.give_up = [&] { return ++asked == wanted; };
        const petsc::Vector lambda = petsc::duplicate(problem.r.get());
        EXPECT_THROW(static_cast<void>(driver.solve(problem, goal, lambda.get())), GivenUp)
            << entry.name << " looked " << asked << " times";
        EXPECT_EQ(asked, wanted) << entry.name;
      }
    }
  }
}

/// A solve that was given up leaves the driver as it was: the next solve gives what a first one
/// gives, bit for bit.
TEST(GiveUp, TheNextSolveIsAsIfItWereTheFirst) {
  const ContactProblem problem =
      test::random_graph(30, 60, 2).build(MPI_COMM_SELF, FrictionLaw::coulomb, "random");
  const auto solved = [&problem](SolverDriver& driver, const GiveUp& give_up) {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    Goal goal = driver.goal();
    goal.residual = 1e-10;
    goal.give_up = give_up;
    static_cast<void>(driver.solve(problem, goal, lambda.get()));
    const petsc::ConstView view(lambda.get());
    return std::vector<double>(view.span().begin(), view.span().end());
  };
  const SolverOptions options;
  SolverDriver fresh(options);
  SolverDriver used(options);
  int asked = 0;
  const GiveUp third = [&] { return ++asked == 3; };
  EXPECT_THROW(static_cast<void>(solved(used, third)), GivenUp);
  EXPECT_EQ(solved(used, {}), solved(fresh, {}));
}

}  // namespace
}  // namespace scree
