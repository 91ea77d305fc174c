// ranks: 1 2 4
/// Every method of the registry on problems of the project's own, both laws and both forms of N;
/// and the same answer on any number of ranks.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "scree/solver/driver.hpp"
#include "solver/sweeps/sweep.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree::own_scenes_test {
namespace {

struct Scene {
  std::string name;
  test::ProblemBuilder builder;
};

std::vector<Scene> scenes() {
  return {
      {"ball rolling on a slope", test::ball_on_slope(0.3, 0.5)},
      {"ball sliding on a slope", test::ball_on_slope(1.2, 0.3)},
      {"stack of 10", test::stack(10)},
      {"crate, hyperstatic", test::crate(3)},
      {"crate pushed to a wall", test::crate(4, 0.3, 0.2)},
      {"random, sparse", test::random_graph(60, 80, 1)},
      {"random, redundant", test::random_graph(20, 80, 2)},
      {"random, cones of dim 1, 2, 3, held balls", test::random_graph(40, 90, 3, true, true)},
  };
}

SolverReport solve(const ContactProblem& problem, std::string_view method, double tolerance,
                   Vec lambda) {
  return SolverDriver(test::only(method, tolerance)).solve(problem, lambda);
}

/// Known not to converge, in both forms of N and on any number of ranks: with exact friction the
/// rounds of ipm on the slip have no proof of convergence, and stay at 5.5e-4, 1.1e-3 and 4.0e-2
/// here.
bool known_failure(std::string_view method, FrictionLaw law, std::string_view scene) {
  return method == "ipm" && law == FrictionLaw::coulomb && scene.starts_with("random, ");
}

/// Methods for LCPs pass through a problem of other rows, which bounds their size, and have scenes
/// of their own (tests/physics/pyramid_test.cpp).
bool is_for_lcps(std::string_view method) {
  return method == "lemke" || method == "minmap" || method == "fischer";
}

TEST(OwnScenes, EverySolverOnEveryScene) {
  for (const Scene& scene : scenes()) {
    for (const FrictionLaw law :
         {FrictionLaw::coulomb, FrictionLaw::associated, FrictionLaw::box}) {
      const ContactProblem product = scene.builder.build(MPI_COMM_WORLD, law, scene.name);
      const ContactProblem matrix = test::as_matrix(product);
      for (const ContactProblem* problem : {&product, &matrix}) {
        for (const SolverEntry& entry : solver_registry()) {
          if (is_for_lcps(entry.name)) continue;
          if (!fault_of_method(entry.name, traits_of(law)).empty()) continue;
          const petsc::Vector lambda = petsc::duplicate(problem->r.get());
          const SolverReport report = solve(*problem, entry.name, 1e-4, lambda.get());
          const bool converged = report.status == Status::converged;
          EXPECT_EQ(converged, report.measures.residual <= 1.01e-4);
          EXPECT_NE(converged, known_failure(entry.name, law, scene.name))
              << entry.name << " on " << problem->origin << ", " << to_string(law) << ": "
              << report.reason;
        }
      }
    }
  }
}

/// Newton's method itself, in both spaces: sweeps alone do not get so far.
TEST(OwnScenes, PacReachesHighAccuracyOnAnyNumberOfRanks) {
  for (const Scene& scene : scenes()) {
    const ContactProblem product =
        scene.builder.build(MPI_COMM_WORLD, FrictionLaw::coulomb, scene.name);
    const ContactProblem matrix = test::as_matrix(product);
    for (const ContactProblem* problem : {&product, &matrix}) {
      const petsc::Vector lambda = petsc::duplicate(problem->r.get());
      const SolverReport report = solve(*problem, "pac", 1e-10, lambda.get());
      EXPECT_EQ(report.status, Status::converged) << problem->origin << ": " << report.reason;
      EXPECT_LE(report.measures.residual, 1.01e-10) << problem->origin;
    }
  }
}

/// The end velocity of the relaxed law is unique; of these scenes that of the exact law as well.
void expect_same_velocity(const Scene& scene, std::string_view method, FrictionLaw law,
                          double tolerance) {
  const ContactProblem shared = scene.builder.build(MPI_COMM_WORLD, law, scene.name);
  const ContactProblem whole = scene.builder.build(MPI_COMM_SELF, law, scene.name);
  const petsc::Vector lambda = petsc::duplicate(shared.r.get());
  const petsc::Vector reference = petsc::duplicate(whole.r.get());
  const SolverReport report = solve(shared, method, 1e-7, lambda.get());
  ASSERT_EQ(report.status, Status::converged)
      << method << " on " << scene.name << ": " << report.reason;
  ASSERT_EQ(solve(whole, "nsgs", 1e-7, reference.get()).status, Status::converged);
  const petsc::Vector v = end_velocity(shared, lambda.get());
  const petsc::Vector v_reference = end_velocity(whole, reference.get());
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(v.get(), &first, nullptr));
  double scale = 0.0;
  SCREE_PETSC(VecNorm(shared.v_free.get(), NORM_INFINITY, &scale));
  const petsc::ConstView mine(v.get());
  const petsc::ConstView all(v_reference.get());
  for (std::size_t k = 0; k < mine.size(); ++k) {
    EXPECT_NEAR(mine[k], all[first + k], tolerance * scale)
        << method << " on " << scene.name << " on " << size_of(MPI_COMM_WORLD) << " ranks";
  }
}

TEST(OwnScenes, SweepsGiveTheSameVelocityOnAnyNumberOfRanks) {
  const auto all = scenes();
  for (const std::string_view method : {"nsgs", "pgs", "psor", "amgs"}) {
    for (const Scene& scene : all) {
      expect_same_velocity(scene, method, FrictionLaw::associated, 1e-3);
    }
    for (std::size_t k : {0U, 1U, 2U}) {
      expect_same_velocity(all[k], method, FrictionLaw::coulomb, 1e-3);
    }
  }
}

/// 1/2 lambda^T N lambda + r^T lambda.
double energy(const ContactProblem& problem, DelassusProduct& product, Vec lambda) {
  const petsc::Vector u = petsc::duplicate(lambda);
  product.contact_velocity(lambda, u.get());
  SCREE_PETSC(VecAXPY(u.get(), 1.0, problem.r.get()));
  double twice = 0.0;
  SCREE_PETSC(VecDot(lambda, u.get(), &twice));
  return 0.5 * twice;
}

TEST(OwnScenes, SweepsLowerTheEnergyOnAnyNumberOfRanks) {
  // the claims of sweep.hpp and pgs.hpp for the relaxed law: of the sweep itself, since the methods
  // return their best iterate
  constexpr FrictionLaw kLaw = FrictionLaw::associated;
  for (const Scene& scene : {scenes()[4], scenes()[7]}) {
    const ContactProblem product_form = scene.builder.build(MPI_COMM_WORLD, kLaw, scene.name);
    const ContactProblem matrix_form = test::as_matrix(product_form);
    for (const ContactProblem* problem : {&product_form, &matrix_form}) {
      std::vector<std::unique_ptr<ContactRule>> rules;
      rules.push_back(make_exact_rule(1.0));
      for (const double relaxation : {0.5, 1.0, 1.4, 1.9}) {
        rules.push_back(make_projected_rule(relaxation, Memory::none));
      }
      for (const double relaxation : {1.0, 1.4, 1.9}) {
        rules.push_back(make_projected_rule(relaxation, Memory::modulus));
      }
      for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        const std::unique_ptr<Sweep> sweep = make_sweep(*problem, *rules[rule]);
        const petsc::Vector lambda = petsc::duplicate(problem->r.get());
        DelassusProduct product(*problem);
        std::vector<double> impulse(problem->cones.rows(), 0.0);
        sweep->start(impulse);
        double last = 0.0;
        for (int k = 0; k < 60; ++k) {
          sweep->run(impulse);
          to_vec(impulse, lambda.get());
          const double now = energy(*problem, product, lambda.get());
          EXPECT_LE(now, last + 1e-12 * std::abs(last))
              << problem->origin << ", rule " << rule << ", sweep " << k;
          last = now;
        }
        EXPECT_LT(last, 0.0);
      }
    }
  }
}

TEST(OwnScenes, RanksWithoutBodiesOrContacts) {
  for (const SolverEntry& entry : solver_registry()) {
    const ContactProblem problem =
        test::stack(2).build(MPI_COMM_WORLD, FrictionLaw::coulomb, "two balls");
    if (fault_of_method(entry.name, traits_of(FrictionLaw::coulomb)).empty()) {
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      const SolverReport report = solve(problem, entry.name, 1e-4, lambda.get());
      EXPECT_EQ(report.status, Status::converged) << entry.name << ": " << report.reason;
    }

    test::ProblemBuilder flying;
    flying.add_ball(1.0, 0.1, test::falling(1e-2));
    const ContactProblem empty = flying.build(MPI_COMM_WORLD, FrictionLaw::coulomb, "no contact");
    const petsc::Vector nothing = petsc::duplicate(empty.r.get());
    EXPECT_EQ(solve(empty, entry.name, 1e-4, nothing.get()).status, Status::converged)
        << entry.name;
  }
}

}  // namespace
}  // namespace scree::own_scenes_test
