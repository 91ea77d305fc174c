/// Sweeps of contacts by kernels and of other rows by rules, on the same bodies: those by rules
/// alone are the oracle.

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string_view>
#include <utility>

#include "plain_sweep.hpp"
#include "scree/problem/given_rows.hpp"
#include "scree/solver/registry.hpp"
#include "solver/sweeps/pair_problem.hpp"
#include "solver/sweeps/sweep.hpp"

namespace scree {
namespace {

using test::difference;
using test::largest;

constexpr double kGrain = 0.005;      ///< radius, m
constexpr double kBallMass = 1.3e-3;  ///< kg
constexpr int kEdge = 4;              ///< balls along each edge of the block

/// Numbers at random.
class Numbers {
 public:
  Vec3 vector(double size) {
    return size * Vec3(normal_(random_), normal_(random_), normal_(random_));
  }
  template <int kDim>
  BodyBlock<kDim> block() {
    BodyBlock<kDim> block;
    for (int k = 0; k < kDim; ++k)
      block.row(k) << vector(1.0).transpose(), vector(kGrain).transpose();
    return block;
  }

 private:
  std::mt19937 random_{5};
  std::normal_distribution<double> normal_;
};

/// M^-1 of a ball, as bodies of the @p form have it.
Mat6 inverse_mass(PairForm form, Numbers& numbers) {
  Vec6 diagonal;
  diagonal << Vec3::Constant(1.0 / kBallMass), Vec3::Constant(2.5 / (kBallMass * kGrain * kGrain));
  if (form == PairForm::points)
    diagonal.tail<3>() = diagonal.tail<3>().cwiseProduct(Vec3(1.0, 2.0, 0.5));
  const Vec6 root = diagonal.cwiseSqrt();
  Mat6 mixed = Mat6::Identity();
  if (form == PairForm::rows) {
    const Vec3 shift = numbers.vector(0.2);
    mixed.topRightCorner<3, 3>() = shift * shift.transpose();
  }
  return root.asDiagonal() * mixed * mixed.transpose() * root.asDiagonal();
}

/// A ball joint at the contact point, the two points of which are to part at @p bias.
GivenCone<cones::Joint> joint_at(const Contact& contact, const Vec3& bias) {
  GivenCone<cones::Joint> joint{.key = 0, .cone = {}, .entries = {}, .bias = bias};
  for (const double sign : {1.0, -1.0}) {
    const Vec3& arm = sign > 0.0 ? contact.arm_a : contact.arm_b;
    GivenEntry<3> entry{sign > 0.0 ? contact.a : contact.b, {}};
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = sign * Vec3::Unit(k);
      entry.block.row(k) << axis.transpose(), arm.cross(axis).transpose();
    }
    joint.entries.push_back(entry);
  }
  return joint;
}

/// Rows of many types: a joint of a contact's two bodies, a compliant one of three bodies, an
/// equation of five, ropes of one and of four, a friction cone of two.
GivenRows some_rows(const std::vector<Contact>& contacts, Numbers& numbers) {
  GivenRows rows;
  rows.append(joint_at(contacts[40], numbers.vector(0.01)));
  rows.append(GivenCone<cones::Joint>{
      .key = 1,
      .cone = {},
      .entries = {{3, numbers.block<3>()}, {30, numbers.block<3>()}, {50, numbers.block<3>()}},
      .bias = numbers.vector(0.05),
      .compliance = Vec3::Constant(50.0)});
  GivenCone<cones::Equation> gear{.key = 2, .cone = {}, .entries = {}};
  for (const std::int32_t body : {0, 7, 21, 22, 63})
    gear.entries.push_back({body, numbers.block<1>()});
  rows.append(gear);
  GivenCone<cones::HalfLine> rope{
      .key = 3, .cone = {}, .entries = {{5, numbers.block<1>()}}, .bias = cones::Rows<1>(-0.1)};
  rows.append(rope);
  for (const std::int32_t body : {9, 10, 60}) rope.entries.push_back({body, numbers.block<1>()});
  rows.append(rope);
  rows.append(
      GivenCone<cones::Circular>{.key = 4,
                                 .cone = {{0.3}},
                                 .entries = {{12, numbers.block<3>()}, {13, numbers.block<3>()}},
                                 .bias = Vec3(-0.05, 0.02, 0.0)});
  return rows;
}

/// Neighbours of a block of balls on a floor, in contact at their surfaces, or beside them.
std::vector<Contact> contacts_of_block(PairForm form, Numbers& numbers) {
  std::vector<Contact> contacts;
  const auto touch = [&](int a, int b, const Vec3& n) {
    const double tilt = form == PairForm::spheres ? 0.0 : 0.3 * kGrain;
    contacts.push_back({.normal = n,
                        .gap = 0.0,
                        .a = a,
                        .b = b,
                        .arm_a = -kGrain * n + numbers.vector(tilt),
                        .arm_b = kGrain * n + numbers.vector(tilt),
                        .key = {}});
  };
  const auto number = [](int x, int y, int z) { return (z * kEdge + y) * kEdge + x; };
  for (int z = 0; z < kEdge; ++z) {
    for (int y = 0; y < kEdge; ++y) {
      for (int x = 0; x < kEdge; ++x) {
        const int here = number(x, y, z);
        if (z == 0) touch(here, -1, Vec3(0, 0, 1));
        if (x > 0) touch(here, number(x - 1, y, z), Vec3(1, 0, 0));
        if (y > 0) touch(here, number(x, y - 1, z), Vec3(0, 1, 0));
        if (z > 0) touch(here, number(x, y, z - 1), Vec3(0, 0, 1));
        if (x > 0 && z > 0) touch(here, number(x - 1, y, z - 1), Vec3(1, 0, 1).normalized());
      }
    }
  }
  return contacts;
}

/// A falling block as a step has it: contacts as frames, which yield, so that impulses are unique,
/// and given rows behind them.
ContactProblem joined_block(PairForm form) {
  Numbers numbers;
  ContactProblem problem;
  auto blocks = std::make_shared<BlockRows>();
  BodyPattern& pattern = blocks->pattern;
  pattern.n_owned = kEdge * kEdge * kEdge;
  std::vector<double> velocity;
  for (std::int32_t b = 0; b < pattern.n_owned; ++b) {
    blocks->inverse_mass.push_back(inverse_mass(form, numbers));
    const Vec3 moving = numbers.vector(0.05) - Vec3(0, 0, 0.05);
    const Vec3 turning = numbers.vector(1.0);
    velocity.insert(velocity.end(), moving.begin(), moving.end());
    velocity.insert(velocity.end(), turning.begin(), turning.end());
  }
  const std::vector<Contact> contacts = contacts_of_block(form, numbers);
  std::vector<FrameBodies> bodies(contacts.size() / kBlock + 1);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    bodies[i / kBlock].a[i % kBlock] = contacts[i].a;
    bodies[i / kBlock].b[i % kBlock] = contacts[i].b;
    problem.cones.append(cones::Circular{{0.5}});
    for (const double share : {0.04, 0.05, 0.05}) problem.compliance.push_back(share / kBallMass);
  }
  const ContactList listed(contacts, form == PairForm::spheres);
  bodies.resize(listed.blocks().size());
  blocks->set_frames(listed, std::move(bodies));
  const GivenRows given = some_rows(contacts, numbers);
  const double* block = given.jacobian.data();
  for (std::size_t i = 0; i < given.cones.count(); ++i) {
    pattern.place.push_back(blocks->jacobian.size());
    pattern.append(
        std::span(given.slot).subspan(given.first[i], given.first[i + 1] - given.first[i]));
    for (std::int32_t e = given.first[i]; e < given.first[i + 1]; ++e) {
      const int size = given.cones.dim(i) * kBodyDofs;
      blocks->jacobian.insert(blocks->jacobian.end(), block, block + size);
      block += size;
    }
  }
  problem.cones.append(given.cones);
  problem.compliance.insert(problem.compliance.end(), given.compliance.begin(),
                            given.compliance.end());
  std::vector<double> r(problem.cones.rows() - given.bias.size(), 0.0);
  r.insert(r.end(), given.bias.begin(), given.bias.end());
  multiply(*blocks, problem.cones, velocity, r);
  problem.r = petsc::make_vector(problem.comm, r.size());
  std::copy(r.begin(), r.end(), petsc::View(problem.r.get()).data());
  problem.v_free = petsc::make_vector(problem.comm, velocity.size());
  problem.delassus.blocks = std::move(blocks);
  problem.origin = "joined block";
  return problem;
}

class MixedSweepForms : public testing::TestWithParam<PairForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, MixedSweepForms,
                         testing::Values(PairForm::spheres, PairForm::points, PairForm::rows),
                         [](const auto& form) { return test::name_of(form.param); });

/// Impulses after @p n sweeps on kernels in the precision @p T, by moves with this @p factor.
template <class T>
std::vector<double> mixed(const ContactProblem& problem, SweepStep step, double factor, int n) {
  PairProblem pairs;
  EXPECT_TRUE(pairs.take(problem, step));
  pairs.relax_rules(factor);
  PairSweep<T> sweep(sweep_kernels<T>().front());
  sweep.take(pairs.rows(), pairs.ranks().shared, pairs.law());
  SweepFactors factors;
  (step == SweepStep::exact ? factors.relaxation : factors.step) = factor;
  for (int s = 0; s < n; ++s) {
    EXPECT_GT(sweep.run(factors), 0.0);
    sweep.move_on(0.0);
  }
  std::vector<double> lambda(problem.cones.rows());
  sweep.impulses(pairs.rows(), lambda);
  return lambda;
}

std::vector<double> by_rules(const ContactProblem& problem, SweepStep step, double factor, int n) {
  const auto rule = step == SweepStep::exact ? make_exact_rule(factor)
                                             : make_projected_rule(factor, Memory::none);
  const auto sweep = make_body_sweep(problem, *rule);
  std::vector<double> lambda(problem.cones.rows(), 0.0);
  sweep->start(lambda);
  for (int s = 0; s < n; ++s) sweep->run(lambda);
  return lambda;
}

TEST_P(MixedSweepForms, HaveTheFormOfTheirContacts) {
  PairProblem pairs;
  const ContactProblem problem = joined_block(GetParam());
  ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
  EXPECT_EQ(pairs.form(), GetParam());
  EXPECT_NEAR(pairs.share_of_ruled(), 6.0 / static_cast<double>(pairs.rows().n_contacts()), 1e-15);
}

/// The order is one: contacts, then the rows behind them. Rounding alone parts the iterates, and
/// where kernels leave a contact's Newton steps early, their tolerance of 1e-4.
TEST_P(MixedSweepForms, GiveTheIteratesOfRules) {
  const ContactProblem problem = joined_block(GetParam());
  for (const double factor : {1.0, 1.2}) {
    for (const SweepStep step : {SweepStep::exact, SweepStep::projected}) {
      const bool early = step == SweepStep::exact && GetParam() != PairForm::spheres;
      const std::vector<double> expected = by_rules(problem, step, factor, 5);
      const double size = largest(expected);
      EXPECT_LT(difference(mixed<double>(problem, step, factor, 5), expected),
                (early ? 1e-3 : 1e-11) * size);
      EXPECT_LT(difference(mixed<float>(problem, step, factor, 5), expected),
                (early ? 1e-2 : 1e-4) * size);
    }
  }
}

/// y+ = x+ + B (x+ - x), of impulses of either kind and of bodies: after sweeps with inertia bodies
/// have the velocities that y gives.
void expect_velocities_of_impulses(PairForm form) {
  const ContactProblem problem = joined_block(form);
  PairProblem pairs;
  ASSERT_TRUE(pairs.take(problem, SweepStep::exact));
  PairSweep<double> sweep(sweep_kernels<double>().front());
  sweep.take(pairs.rows(), pairs.ranks().shared, pairs.law());
  EXPECT_FALSE(sweep.can_refine());  // for the rows of joints
  constexpr double kMomentum = 0.5;
  std::vector<double> before(problem.cones.rows(), 0.0);
  std::vector<double> now = before;
  for (int s = 0; s < 4; ++s) {
    before = now;
    sweep.run({.momentum = kMomentum});
    sweep.move_on(kMomentum);
    sweep.impulses(pairs.rows(), now);
  }
  for (std::size_t k = 0; k < now.size(); ++k) now[k] += kMomentum * (now[k] - before[k]);
  const petsc::Vector y = petsc::duplicate(problem.r.get());
  std::copy(now.begin(), now.end(), petsc::View(y.get()).data());
  DelassusProduct product(problem);
  const std::span<const double> expected = product.body_velocities(y.get());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double unit = k % 6 < 3 ? 1.0 : kGrain;
    EXPECT_NEAR(unit * sweep.body(k / 6, k % 6), unit * expected[k], 1e-13) << k;
  }
}

TEST(MixedSweeps, MoveImpulsesAndBodiesAlike) {
  expect_velocities_of_impulses(PairForm::spheres);
  expect_velocities_of_impulses(PairForm::points);
}

/// As many sweeps converge to one solution.
TEST_P(MixedSweepForms, ConvergeToTheSolutionOfRules) {
  const ContactProblem problem = joined_block(GetParam());
  for (const SweepStep step : {SweepStep::exact, SweepStep::projected}) {
    const std::vector<double> expected = by_rules(problem, step, 1.0, 3000);
    EXPECT_LT(difference(mixed<double>(problem, step, 1.0, 3000), expected),
              1e-10 * largest(expected));
  }
}

/// The methods end in the same impulses with inertia and without, where rules sweep all rows.
TEST_P(MixedSweepForms, SolveTheProblemAsRulesDo) {
  const ContactProblem problem = joined_block(GetParam());
  Stop stop;
  stop.goal.residual = 3e-13;  // impulses differ by some hundred times that
  const auto solve = [&](std::string_view method, bool inertia) {
    SolverOptions options;
    options.nsgs.inertia = options.psor.inertia = inertia;
    const petsc::Vector lambda = petsc::duplicate(problem.r.get());
    const SolverReport report =
        find_solver(method).make(options)->solve(problem, stop, lambda.get());
    EXPECT_EQ(report.status, Status::converged) << method << ": " << report.reason;
    const petsc::ConstView values(lambda.get());
    return std::vector<double>(values.span().begin(), values.span().end());
  };
  const std::vector<double> expected = solve("nsgs", false);
  for (const std::string_view method : {"nsgs", "psor"}) {
    EXPECT_LT(difference(solve(method, true), expected), 1e-10 * largest(expected)) << method;
  }
}

}  // namespace
}  // namespace scree
