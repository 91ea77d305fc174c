#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "scree/solver/driver.hpp"
#include "solver/sweeps/sweep.hpp"
#include "support/dense_matrices.hpp"
#include "support/dense_problem.hpp"
#include "support/problems.hpp"
#include "support/solver_options.hpp"

namespace scree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactProblem box(const test::ProblemBuilder& builder) {
  return builder.build(MPI_COMM_SELF, FrictionLaw::box, "box");
}

/// The state of a row: without impulse, at a bound of its sign, or held still.
enum class State { zero, low, high, held };

/// The solution with these states of the rows of contacts of dim 3; whether it is one.
bool solves(const test::DenseProblem& p, const std::vector<double>& mu,
            const std::vector<State>& states, VectorXd& lambda) {
  const Eigen::Index n = p.r.size();
  MatrixXd m = MatrixXd::Identity(n, n);
  VectorXd right = VectorXd::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const State state = states[k];
    if (state == State::held) {
      m.row(k) = p.n.row(k);
      right[k] = -p.r[k];
    } else if (state != State::zero) {
      m(k, 3 * (k / 3)) = (state == State::low ? 1.0 : -1.0) * mu[k / 3];
    }
  }
  const std::optional<VectorXd> solved = test::solution(m, right);
  if (!solved) return false;
  lambda = *solved;
  const VectorXd u = p.n * lambda + p.r;
  constexpr double kRounding = 1e-10;
  for (Eigen::Index k = 0; k < n; ++k) {
    const State state = states[k];
    if (k % 3 == 0) {
      if (lambda[k] < -kRounding || u[k] < -kRounding) return false;
      continue;
    }
    const double bound = mu[k / 3] * lambda[3 * (k / 3)];
    if (std::abs(lambda[k]) > bound + kRounding) return false;
    if (state == State::low && u[k] < -kRounding) return false;
    if (state == State::high && u[k] > kRounding) return false;
  }
  return true;
}

/// All solutions, by trying the ten states of every contact.
std::vector<VectorXd> enumerate(const ContactProblem& problem) {
  const test::DenseProblem p(problem);
  const std::size_t contacts = problem.cones.count();
  std::vector<VectorXd> found;
  std::size_t n_states = 1;
  for (std::size_t i = 0; i < contacts; ++i) n_states *= 10;
  constexpr std::array kTangent{State::low, State::high, State::held};
  for (std::size_t code = 0; code < n_states; ++code) {
    std::vector<State> states;
    std::size_t rest = code;
    for (std::size_t i = 0; i < contacts; ++i, rest /= 10) {
      const std::size_t digit = rest % 10;
      if (digit == 9) {
        states.insert(states.end(), 3, State::zero);
      } else {
        states.insert(states.end(), {State::held, kTangent[digit / 3], kTangent[digit % 3]});
      }
    }
    VectorXd lambda;
    if (solves(p, friction_coefficients(problem.cones), states, lambda)) found.push_back(lambda);
  }
  return found;
}

SolverReport solve(const ContactProblem& problem, std::string_view method, double tolerance,
                   Vec lambda) {
  return SolverDriver(test::only(method, tolerance)).solve(problem, lambda);
}

VectorXd numbers_of_box(Vec v) {
  const petsc::ConstView view(v);
  return Eigen::Map<const VectorXd>(view.data(), static_cast<Eigen::Index>(view.size()));
}

constexpr std::string_view kMethods[] = {"pgs", "psor", "amgs", "auto"};

// A residual of 1e-9 leaves impulses off by that times the condition of three contacts, some
// hundred: 1e-6.
TEST(Box, EveryMethodFindsASolutionOfThoseThatEnumerationFinds) {
  int sliding = 0;
  for (unsigned seed = 1; seed < 9; ++seed) {
    const ContactProblem problem = box(test::random_graph(3, 3, seed));
    ASSERT_EQ(problem.cones.rows(), 9U);
    const std::vector<VectorXd> all = enumerate(problem);
    ASSERT_FALSE(all.empty()) << "seed " << seed;
    for (const std::string_view method : kMethods) {
      const petsc::Vector lambda = petsc::duplicate(problem.r.get());
      const SolverReport report = solve(problem, method, 1e-9, lambda.get());
      ASSERT_EQ(report.status, Status::converged) << method << ": " << report.reason;
      const VectorXd x = numbers_of_box(lambda.get());
      double nearest = std::numeric_limits<double>::infinity();
      for (const VectorXd& solution : all) nearest = std::min(nearest, (x - solution).norm());
      EXPECT_LE(nearest, 1e-6 * x.norm()) << method << ", seed " << seed;
      for (Eigen::Index k = 1; k < 9; k += 3) {
        const double bound = friction_coefficients(problem.cones)[k / 3] * x[k - 1];
        if (bound > 0.0 && std::abs(x[k]) > (1.0 - 1e-9) * bound) ++sliding;
      }
    }
  }
  EXPECT_GT(sliding, 0);  // the bounds were met
}

/// With one tangent the box is the cone.
TEST(Box, IsExactFrictionWhereConesHaveTwoRows) {
  test::ProblemBuilder builder;
  for (int k = 0; k < 6; ++k) {
    Vec6 velocity = test::falling(0.1);
    velocity[0] = 0.3 * (k % 3) - 0.2;
    const int ball = builder.add_ball(1.0 + 0.3 * k, 0.1, velocity);
    builder.add_contact(ball, ball - 1, Vec3(0.2 * (k % 2), 0.0, 1.0).normalized(),
                        Vec3(0, 0, -0.1), Vec3(0, 0, 0.1), 0.0, 0.1 + 0.1 * k, 2);
  }
  for (const std::string_view method : kMethods) {
    ContactProblem problem = box(builder);
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    ASSERT_EQ(solve(problem, method, 1e-10, lambda.get()).status, Status::converged) << method;
    const ContactProblem exact = with_law(std::move(problem), FrictionLaw::coulomb);
    EXPECT_LE(Measurer(exact).measure(lambda.get()).residual, 1e-9) << method;
  }
}

/// Method 3.2 of paper 003: what x lacks to its bound, x_-, is of either bound (scree), or of zero
/// alone (printed). That asks for 0 <= low, which the unknown lambda - low has (printed_above_low).
enum class Form { scree, printed, printed_above_low };

struct BoxIterate {
  VectorXd x;  ///< lambda before it is put between its bounds
  VectorXd lambda;
};

/// @p n sweeps from zero with A formed, line by line, gamma = 2 and Omega = alpha D.
std::vector<BoxIterate> method_3_2(const ContactProblem& problem, double alpha, Form form, int n) {
  const test::DenseProblem p(problem);
  constexpr double kGamma = 2.0;
  BoxIterate now{VectorXd::Zero(p.r.size()), VectorXd::Zero(p.r.size())};
  auto& [x, lambda] = now;
  std::vector<BoxIterate> all;
  for (int k = 0; k < n; ++k) {
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const Eigen::Index normal = 3 * (i / 3);
      const double bound = friction_coefficients(problem.cones)[i / 3] * lambda[normal];
      const double low = i == normal ? 0.0 : -bound;
      const double high = i == normal ? std::numeric_limits<double>::infinity() : bound;
      const double zero = form == Form::printed_above_low ? low : 0.0;
      const double a = p.n(i, i);
      const double omega = alpha * a;
      const double negative = form == Form::scree ? lambda[i] - x[i] : std::max(0.0, -x[i]);
      x[i] -= kGamma / (a + kGamma * omega) *
              (p.n.row(i).dot(lambda) + p.r[i] - 2.0 * omega * negative);
      lambda[i] = zero + std::clamp(2.0 / kGamma * x[i], low - zero, high - zero);
    }
    all.push_back(now);
  }
  return all;
}

/// The impulses of @p n sweeps of amgs.
std::vector<VectorXd> amgs_sweeps(const ContactProblem& problem, double alpha, int n) {
  const auto rule = make_projected_rule(2.0 / (1.0 + 2.0 * alpha), Memory::modulus);
  const std::unique_ptr<Sweep> sweep = make_sweep(problem, *rule);
  std::vector<double> impulse(problem.cones.rows(), 0.0);
  sweep->start(impulse);
  std::vector<VectorXd> all;
  for (int k = 0; k < n; ++k) {
    sweep->run(impulse);
    all.emplace_back(Eigen::Map<const VectorXd>(impulse.data(), std::ssize(impulse)));
  }
  return all;
}

TEST(Box, AmgsIsAVariantOfMethod32) {
  const ContactProblem product = box(test::random_graph(10, 20, 4));
  const ContactProblem matrix = test::as_matrix(product);
  constexpr int kSweeps = 30;
  for (const double alpha : {0.1, 0.25, 0.5, 1.0}) {
    const std::vector<BoxIterate> expected = method_3_2(product, alpha, Form::scree, kSweeps);
    for (const ContactProblem* problem : {&product, &matrix}) {
      const std::vector<VectorXd> sweeps = amgs_sweeps(*problem, alpha, kSweeps);
      for (int k = 0; k < kSweeps; ++k) {
        const VectorXd& each = expected[k].lambda;
        EXPECT_LE((sweeps[k] - each).norm(), 1e-11 * each.norm()) << "alpha " << alpha;
      }
    }
  }
}

/// A stack of grains of 1 kg on the ground, which a step pushes down by 1 m/s and the lowest aside:
/// normals are coupled, tangents are not. The lowest contact comes to carry a normal impulse of 1 N
/// s a grain, from below.
ContactProblem pushed_stack(int n_grains, double mu, double push) {
  constexpr double kTangent = 3.5;  // of a ball that turns, 1/kg
  MatrixXd n = MatrixXd::Zero(3 * n_grains, 3 * n_grains);
  VectorXd r = VectorXd::Zero(3 * n_grains);
  for (Eigen::Index i = 0; i < n_grains; ++i) {
    const double grains = i == 0 ? 1.0 : 2.0;  // that the contact moves
    n.diagonal().segment<3>(3 * i) = grains * Vec3(1.0, kTangent, kTangent);
    if (i > 0) n(3 * i, 3 * i - 3) = n(3 * i - 3, 3 * i) = -1.0;
  }
  r[0] = -1.0;
  r[1] = push;
  return test::dense_problem(n, r, mu, FrictionLaw::box);
}

/// A held tangent of negative impulse takes, as printed, x <- -x - 2 r / (D + 2 Omega): it goes for
/// ever from none to more or less than what holds it, and back. That of lambda - low comes to rest.
TEST(PrintedMethod32, AlternatesWhereTheImpulseOfAHeldTangentIsNegative) {
  constexpr double kPush = 0.7;
  const ContactProblem problem = pushed_stack(1, 0.3, kPush);
  const double held = -kPush / 3.5;
  for (const double alpha : {0.25, 0.3}) {
    EXPECT_NEAR(amgs_sweeps(problem, alpha, 200).back()[1], held, 1e-14);
    const auto above_low = method_3_2(problem, alpha, Form::printed_above_low, 200);
    EXPECT_NEAR(above_low.back().lambda[1], held, 1e-14);
    const std::vector<BoxIterate> printed = method_3_2(problem, alpha, Form::printed, 200);
    EXPECT_NEAR(printed[198].lambda[1], 2.0 * held / (1.0 + 2.0 * alpha), 1e-12);
    EXPECT_NEAR(printed[199].lambda[1], 0.0, 1e-12);
  }
}

/// Where an upper bound holds, x grows as printed by omega |u| / D in every sweep; scree's x ends
/// |u| / (2 alpha D) beyond.
TEST(PrintedMethod32, DriftsWhereAnUpperBoundHolds) {
  const ContactProblem problem = pushed_stack(1, 0.3, -3.5);
  constexpr double kSlip = 1.0 - 0.3;  // |u| / D
  for (const double alpha : {0.25, 0.5}) {
    const double omega = 2.0 / (1.0 + 2.0 * alpha);
    for (const Form form : {Form::printed, Form::printed_above_low}) {
      const std::vector<BoxIterate> all = method_3_2(problem, alpha, form, 1001);
      for (const int k : {200, 400, 1000}) {
        EXPECT_NEAR(all[k].x[1] - all[100].x[1], (k - 100) * omega * kSlip, 1e-10);
        EXPECT_NEAR(all[k].lambda[1], 0.3, 1e-14);
      }
    }
    EXPECT_NEAR(method_3_2(problem, alpha, Form::scree, 200).back().x[1],
                0.3 + kSlip / (2.0 * alpha), 1e-12);
  }
}

/// A tangent slides until the normal impulse has come down the stack, and is then held, just: x,
/// which has grown all that time, is slow to come back. Counted with numpy for a stack of 10:
/// 1,659, 1,584 and 315 sweeps.
TEST(PrintedMethod32, IsLateWhereASlidingTangentComesToRest) {
  constexpr int kGrains = 10;
  constexpr double kMu = 0.3;
  constexpr double kHeld = 0.99 * kMu * kGrains;
  const ContactProblem problem = pushed_stack(kGrains, kMu, -3.5 * kHeld);
  constexpr int kSweeps = 2000;
  const auto off = [&](const VectorXd& lambda) {
    return std::abs(lambda[1] - kHeld) > 1e-6 || std::abs(lambda[0] - kGrains) > 1e-6;
  };
  int late = 0;  // the first sweep after which amgs stays at the solution
  const std::vector<VectorXd> amgs = amgs_sweeps(problem, 0.25, kSweeps);
  for (int k = 0; k < kSweeps; ++k) {
    if (off(amgs[k])) late = k + 1;
  }
  EXPECT_LT(late, 400);
  for (const Form form : {Form::printed, Form::printed_above_low}) {
    const std::vector<BoxIterate> all = method_3_2(problem, 0.25, form, kSweeps);
    EXPECT_TRUE(off(all[4 * late].lambda));
    EXPECT_FALSE(off(all.back().lambda));
  }
}

/// Methods that know pyramids as cones like any other find the same solutions.
TEST(Box, IsACone) {
  const ContactProblem problem = box(test::random_graph(6, 9, 2));
  for (const std::string_view method : {"nsgs", "pac", "apgd", "pgj"}) {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report = solve(problem, method, 1e-6, lambda.get());
    EXPECT_EQ(report.status, Status::converged) << method << ": " << report.reason;
  }
}

TEST(Box, IsRefusedWhereConesMustBeOfSecondOrder) {
  const ContactProblem problem = box(test::crate(2));
  try {
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    solve(problem, "ipm", 1e-4, lambda.get());
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("ipm solves problems with half lines"), std::string::npos) << text;
    EXPECT_NE(text.find("this one has friction pyramids; auto, nsgs, pac"), std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace scree
