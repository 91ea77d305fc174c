#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "scree/solver/driver.hpp"
#include "support/lcps.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

/// Two walls that approach each other with a ball between them: no velocity satisfies both.
ContactProblem closing_walls(int dim, FrictionLaw law) {
  test::ProblemBuilder b;
  const int ball = b.add_ball(1.0, 0.1, Vec6::Zero());
  for (const double side : {1.0, -1.0}) {
    b.add_contact(ball, -1, side * Vec3::UnitX(), -0.1 * side * Vec3::UnitX(), Vec3::Zero(), -1.0,
                  0.4, dim);
  }
  return b.build(MPI_COMM_SELF, law, "closing walls");
}

constexpr std::string_view kYielding = "those given are the bounded ones of contacts that yield";

/// Contacts of a problem given by its matrix cannot be made to yield, and nothing is said of it.
TEST(Fallback, ImpulsesOfAMatrixAreThoseOfTheMethod) {
  const ContactProblem problem = test::as_matrix(closing_walls(3, FrictionLaw::coulomb));
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolverOptions options;
  options.method = "pac";
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  EXPECT_EQ(report.status, Status::infeasible) << report.reason;
  EXPECT_EQ(report.reason.find(kYielding), std::string::npos) << report.reason;
}

/// Impulses that grow without bound make the residual, relative to them, as small as one likes.
TEST(Fallback, NoMethodSolvesWhatIsInfeasible) {
  for (const int dim : {1, 3}) {
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
      const ContactProblem problem = closing_walls(dim, law);
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      SolverOptions options;
      options.method = "ipm";
      const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
      EXPECT_EQ(report.status, Status::infeasible) << report.reason;
      // one method's word is enough: the others would spend their limits on it
      EXPECT_EQ(report.reason.find("; then "), std::string::npos) << report.reason;
      EXPECT_NE(report.reason.find(kYielding), std::string::npos) << report.reason;
      // Contacts that yield a tenth of what a free ball of 1 kg does bear ten times its momentum at
      // the walls' speed of 1 m/s, to the tolerance of the solve, and no more.
      for (const double l : petsc::ConstView(lambda.get()).span())
        EXPECT_LE(std::abs(l), 1.01 * 10.0);
    }
  }
}

TEST(Registry, NamesTheNearestSolver) {
  EXPECT_EQ(find_solver("nsgs").name, "nsgs");
  try {
    static_cast<void>(find_solver("nsg"));
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean `nsgs`"), std::string::npos)
        << error.what();
  }
}

/// Impulses that a run keeps from step to step by contact id are of use to every method.
TEST(Registry, EveryMethodTakesItsStart) {
  for (const SolverEntry& entry : solver_registry()) {
    for (const FrictionLaw law :
         {FrictionLaw::associated, FrictionLaw::coulomb, FrictionLaw::box}) {
      const ContactProblem problem =
          entry.needs.cones == kLcpCones
              ? test::random_lcp(8, 1, 1.0).build(MPI_COMM_SELF)
              : test::ball_on_slope(0.9, 0.3).build(MPI_COMM_SELF, law, "start");
      if (!fault_of_method(entry.name, traits_of(problem)).empty()) continue;
      SolverOptions options = test::only(entry.name);
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      SolverDriver driver(options);
      const SolverReport cold = driver.solve(problem, lambda.get());
      ASSERT_EQ(cold.status, Status::converged) << entry.name << ": " << cold.reason;
      constexpr std::string_view kAtOnce = "the start is a solution";
      EXPECT_EQ(cold.reason.find(kAtOnce), std::string::npos) << entry.name << cold.reason;
      const SolverReport warm = driver.solve(problem, lambda.get());
      EXPECT_EQ(warm.status, Status::converged) << entry.name;
      EXPECT_NE(warm.reason.find(kAtOnce), std::string::npos) << entry.name << warm.reason;
    }
  }
}

/// Each method by itself, too: none calls it solved.
TEST(Fallback, NoMethodAloneSolvesWhatIsInfeasible) {
  for (const SolverEntry& entry : solver_registry()) {
    for (const FrictionLaw law :
         {FrictionLaw::associated, FrictionLaw::coulomb, FrictionLaw::box}) {
      if (!fault_of_method(entry.name, traits_of(law)).empty()) continue;
      const ContactProblem problem = closing_walls(3, law);
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      SolverOptions options = test::only(entry.name);
      const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
      EXPECT_NE(report.status, Status::converged) << entry.name << ": " << report.reason;
    }
  }
}

/// A step that has no solution costs a share of the iterations that a hard one may take.
TEST(Fallback, PacSeesSoonWhatIsInfeasible) {
  const ContactProblem problem = closing_walls(3, FrictionLaw::coulomb);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  SolverOptions options = test::only("pac");
  const SolverReport report = SolverDriver(options).solve(problem, lambda.get());
  EXPECT_EQ(report.status, Status::infeasible) << report.reason;
  EXPECT_LE(report.iterations, 1000) << report.reason;
}

/// The value of `solver.fallback` where nothing is said, or `[]`.
std::vector<std::string> others(bool fallback) {
  return fallback ? SolverOptions().fallback : std::vector<std::string>();
}

std::vector<std::string_view> names(std::string_view method, FrictionLaw law, bool fallback) {
  std::vector<std::string_view> result;
  for (const PlannedMethod& planned : solver_plan(method, traits_of(law), others(fallback))) {
    result.push_back(planned.entry->name);
  }
  return result;
}

TEST(SolverPlan, AutoFollowsTheLaw) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(names("auto", FrictionLaw::coulomb, false), (Names{"nsgs", "pac"}));
  EXPECT_EQ(names("auto", FrictionLaw::associated, false), (Names{"apgd", "ipm"}));
  // the first method of `auto` was hurried: it has its turn again, with all the time it wants
  EXPECT_EQ(names("auto", FrictionLaw::coulomb, true),
            (Names{"nsgs", "pac", "nsgs", "apgd", "pgj"}));
  EXPECT_EQ(names("nsgs", FrictionLaw::coulomb, true), (Names{"nsgs", "pac", "apgd", "pgj"}));
  EXPECT_EQ(names("ipm", FrictionLaw::associated, true), (Names{"ipm", "apgd", "pgj"}));
  // psor is as fast as amgs, and does not stand still where W is not symmetric (rocks-skew of
  // scripts/bench/blocks)
  EXPECT_EQ(names("auto", FrictionLaw::box, false), (Names{"psor"}));
  EXPECT_EQ(names("auto", FrictionLaw::box, true), (Names{"psor", "pgs"}));
}

/// Gradient steps on the kernels, which take balls alone, come before the interior point method.
TEST(SolverPlan, TheRelaxedLawOfBallsHasGradientStepsOnTheKernels) {
  using Names = std::vector<std::string_view>;
  ProblemTraits traits = traits_of(FrictionLaw::associated);
  traits.by_bodies = true;
  for (const bool plain : {false, true}) {
    traits.plain_spheres = plain;
    Names names;
    for (const PlannedMethod& method : solver_plan("auto", traits, {})) {
      names.push_back(method.entry->name);
    }
    EXPECT_EQ(names, (plain ? Names{"psor", "apgd", "ipm"} : Names{"psor", "ipm"}));
  }
}

/// Without friction both laws pose the same convex problem: bodies are swept as long as that is
/// short, then gradients go on.
TEST(SolverPlan, BodiesWithoutFrictionAreAConvexProblem) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
    ProblemTraits traits = traits_of(law);
    traits.cones = kSetOf<cones::HalfLine>;
    traits.by_bodies = true;
    const auto planned = [&traits] {
      std::vector<std::string_view> names;
      for (const PlannedMethod& method : solver_plan("auto", traits, {})) {
        names.push_back(method.entry->name);
      }
      return names;
    };
    EXPECT_EQ(planned(), (std::vector<std::string_view>{"psor", "apgd", "ipm"}));
    traits.repeats_rows = true;  // sweeps by rows would not end
    EXPECT_EQ(planned(), (std::vector<std::string_view>{"apgd", "ipm"}));
  }
}

/// Methods by name, in their order; `auto` among them stands for those of the law; each is tried
/// once.
TEST(SolverPlan, FallsBackToWhatIsNamed) {
  using Names = std::vector<std::string_view>;
  const auto plan = [](std::string_view method, const std::vector<std::string>& fallback) {
    Names result;
    for (const PlannedMethod& planned :
         solver_plan(method, traits_of(FrictionLaw::associated), fallback)) {
      result.push_back(planned.entry->name);
    }
    return result;
  };
  EXPECT_EQ(plan("ipm", {"pgj"}), (Names{"ipm", "pgj"}));
  EXPECT_EQ(plan("ipm", {}), (Names{"ipm"}));
  EXPECT_EQ(plan("psor", {"pgj", "auto"}), (Names{"psor", "pgj", "ipm", "apgd"}));
  EXPECT_EQ(plan("auto", {"kleinert", "apgd"}), (Names{"apgd", "ipm", "kleinert", "apgd"}));
}

/// ipm that is cut short goes on as pgj from where it got, and as nothing else; and what is named
/// must take the problem.
TEST(Fallback, IsToTheMethodsThatAreNamed) {
  const ContactProblem problem =
      test::random_graph(20, 40, 1).build(MPI_COMM_SELF, FrictionLaw::associated, "random");
  const auto solved_by = [&](const std::vector<std::string>& fallback) {
    SolverOptions options;
    options.method = "ipm";
    options.fallback = fallback;
    options.stop.tolerance = 1e-10;
    options.stop.max_iterations = 3;
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    return SolverDriver(options).solve(problem, lambda.get());
  };
  EXPECT_EQ(code_of(solved_by({"pgj"}).attempts), "ipm:iteration-limit>pgj:iteration-limit");
  EXPECT_EQ(code_of(solved_by({}).attempts), "ipm:iteration-limit");
  EXPECT_LE(solved_by({"pgj"}).measures.residual, solved_by({}).measures.residual);
  EXPECT_THROW(solved_by({"pac"}), InputError);
}

/// The relaxed law begins with sweeps where they run on kernels, at a tenth of what a gradient step
/// costs, and else with gradients, which cost a third of a sweep by rules.
TEST(SolverPlan, TheRelaxedLawIsSweptWhereKernelsServe) {
  ProblemTraits traits = traits_of(FrictionLaw::associated);
  const auto first = [&traits] { return solver_plan("auto", traits, {}).front().entry->name; };
  EXPECT_EQ(first(), "apgd");
  traits.by_bodies = true;
  EXPECT_EQ(first(), "psor");
  traits.cones |= kSetOf<cones::Rolling>;  // which the kernels do not take
  EXPECT_EQ(first(), "apgd");
}

/// Contacts told by bodies, and the same as a matrix alone.
TEST(SolverPlan, TraitsTellBodiesFromMatrices) {
  const ContactProblem bodies =
      test::stack(3).build(MPI_COMM_SELF, FrictionLaw::associated, "stack");
  EXPECT_TRUE(traits_of(bodies).by_bodies);
  EXPECT_FALSE(traits_of(test::as_matrix(bodies)).by_bodies);
}

/// One column of balls, which takes thousands of sweeps. As bodies it is left to them, since they
/// cost little; as a matrix, where a sweep costs ten times as much, it soon goes on to Newton's
/// method.
TEST(SolverPlan, PatienceIsWeighedByWhatSweepsCost) {
  const ContactProblem bodies = test::stack(60).build(MPI_COMM_SELF, FrictionLaw::coulomb, "stack");
  const ContactProblem matrix = test::as_matrix(bodies);
  for (const auto& [problem, method] : {std::pair{&bodies, "nsgs"}, std::pair{&matrix, "pac"}}) {
    const petsc::Vector lambda = petsc::duplicate(problem->r.get());
    SolverOptions options;
    options.stop.tolerance = 1e-8;
    const SolverReport report = SolverDriver(options).solve(*problem, lambda.get());
    EXPECT_EQ(report.status, Status::converged) << report.reason;
    EXPECT_EQ(report.solver, method) << report.reason;
  }
}

/// Sweeps of a high column of rigid balls stall, and the relaxed law hands it to gradient steps,
/// which end.
TEST(SolverPlan, TheRelaxedLawGoesOnFromSweepsThatStall) {
  const ContactProblem column =
      test::stack(400).build(MPI_COMM_SELF, FrictionLaw::associated, "column");
  const petsc::Vector lambda = petsc::duplicate(column.r.get());
  SolverOptions options;
  options.stop.tolerance = 1e-8;
  const SolverReport report = SolverDriver(options).solve(column, lambda.get());
  EXPECT_EQ(code_of(report.attempts), "psor:stagnated>apgd:converged") << report.reason;
  EXPECT_LE(report.measures.residual, 1e-8);
}

/// Newton's methods stand still for long before they are there: none is judged by its pace.
TEST(SolverPlan, OnlySweepsAndGradientsAreHurried) {
  ProblemTraits traits = traits_of(FrictionLaw::associated);
  const auto patience = [&traits] {
    std::vector<bool> hurried;
    for (const PlannedMethod& planned : solver_plan("auto", traits, others(true))) {
      hurried.push_back(planned.patience > 0);
    }
    return hurried;
  };
  using Hurried = std::vector<bool>;
  EXPECT_EQ(patience(), (Hurried{true, false, false, false}));  // apgd, ipm, apgd, pgj
  traits = traits_of(FrictionLaw::coulomb);
  EXPECT_EQ(patience(), (Hurried{true, false, false, false, false}));  // nsgs, pac, nsgs, apgd, pgj
}

/// A method that nothing comes after has all the time it wants.
TEST(SolverPlan, TheLastMethodIsNotHurried) {
  ProblemTraits rolling = traits_of(FrictionLaw::associated);
  rolling.cones = kSetOf<cones::Rolling>;  // which ipm does not take
  for (const ProblemTraits& traits :
       {rolling, traits_of(FrictionLaw::associated), traits_of(FrictionLaw::coulomb)}) {
    for (const bool fallback : {false, true}) {
      const std::vector<PlannedMethod> plan = solver_plan("auto", traits, others(fallback));
      ASSERT_FALSE(plan.empty());
      EXPECT_EQ(plan.back().patience, 0) << plan.back().entry->name << fallback;
    }
  }
}

}  // namespace
}  // namespace scree
