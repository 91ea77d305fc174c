/// (NORM), (KIN), (ONE), (VIO) and (MOD) of every single application, of each operator, on 1,000
/// random problems.

#include "scree/impact/impact_operator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scree/impact/elastic_outcome.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

constexpr double kEpsilon = 1e-7;  // the default
constexpr double kFlatness = 1e-5;

struct Operator {
  ImpactOperatorKind kind;
  ImpactOrder order;
};
const std::vector<Operator> kOperators = {
    {ImpactOperatorKind::gauss_seidel, ImpactOrder::lexicographic},
    {ImpactOperatorKind::gauss_seidel, ImpactOrder::random},
    {ImpactOperatorKind::gauss_seidel, ImpactOrder::worst_first},
    {ImpactOperatorKind::reflections, ImpactOrder::lexicographic}};

/// Applies one operator to the end of an impact, and checks each application.
void check_applications(const Operator& of, const SparseColumns& normals,
                        const Eigen::VectorXd& start) {
  const Gram gram(normals);
  const auto impact = make_impact_operator(of.kind, of.order, 7, gram);
  ElasticState state(normals, gram, start);
  const double energy = start.squaredNorm();
  for (;;) {
    const Eigen::VectorXd before = state.velocity();
    const Eigen::VectorXd approach = normals.transpose() * before;
    if (!state.apply(*impact, kEpsilon)) {
      // (MOD), from the other side: only a feasible velocity is not modified.
      ASSERT_TRUE(approach.size() == 0 || approach.minCoeff() >= -kEpsilon * start.norm());
      return;
    }
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(normals.cols());
    for (const ScaledImpulse& l : state.last()) {
      ASSERT_GT(l.size, 0.0);  // (ONE)
      // (VIO): what approaches is kept up by additions, whose rounding the last term allows for.
      ASSERT_LT(approach[l.contact], -kEpsilon * start.norm() + 1e-12 * start.norm());
      impulse[l.contact] = l.size;
    }
    ASSERT_FALSE(state.last().empty());
    const Eigen::VectorXd exact = before + normals * impulse;
    // (NORM): what is not along the gradients is rounding, far within the allowed epsilon |l| and
    // epsilon/2 |y|.
    const double noise = (state.velocity() - exact).norm();
    ASSERT_LE(noise, kEpsilon * impulse.lpNorm<1>());
    ASSERT_LE(noise, 1e-14 * start.norm());
    ASSERT_NEAR(exact.squaredNorm(), energy, 1e-14 * energy);                // (KIN)
    ASSERT_NEAR(state.velocity().squaredNorm(), energy, 1e-14 * energy);     // (DRIFT)
    ASSERT_GT((state.velocity() - before).norm(), kEpsilon * start.norm());  // (MOD)
  }
}

TEST(ImpactOperator, EveryApplicationKeepsTheFiveProperties) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const ImpactProblem problem = test::random_impact(random, 2 + random() % 30, trial % 10 == 0);
    const EnergySpace space = energy_space(problem);
    const ImplicitEqualities equalities = implicit_equalities(space.normals, kFlatness);
    const ProjectedNormals projected = project_out(equalities, space.normals, kFlatness);
    for (const Operator& of : kOperators) {
      SCOPED_TRACE(testing::Message()
                   << to_string(of.kind) << " " << to_string(of.order) << ", trial " << trial);
      check_applications(of, projected.normals, project_out(equalities, space.velocity));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ImpactOperator, TakesTheContactOfItsOrder) {
  const Gram gram(Eigen::MatrixXd(Eigen::Matrix3d::Identity()).sparseView());
  const Eigen::VectorXd approach = Eigen::Vector3d(0.5, -1.0, -2.0);
  const Eigen::VectorXd thresholds = Eigen::Vector3d::Zero();
  std::vector<ScaledImpulse> impulses;
  for (const auto& [order, contact] :
       {std::pair{ImpactOrder::lexicographic, 1}, std::pair{ImpactOrder::worst_first, 2}}) {
    const auto impact = make_impact_operator(ImpactOperatorKind::gauss_seidel, order, 1, gram);
    impact->start(approach, thresholds);
    impact->apply(impulses);
    ASSERT_EQ(impulses.size(), 1U);
    EXPECT_EQ(impulses[0].contact, contact);
    EXPECT_EQ(impulses[0].size, -2.0 * approach[contact]);  // eq. 1
  }
  const auto any =
      make_impact_operator(ImpactOperatorKind::gauss_seidel, ImpactOrder::random, 1, gram);
  any->start(approach, thresholds);
  int first = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    any->apply(impulses);
    ASSERT_TRUE(impulses[0].contact == 1 || impulses[0].contact == 2);
    first += impulses[0].contact == 1 ? 1 : 0;
  }
  EXPECT_NEAR(first, 500, 80);  // five standard deviations of a fair coin
}

/// gauss_seidel by a look at all contacts at each application: the oracle.
class Searching final : public ImpactOperator {
 public:
  Searching(ImpactOrder order, std::uint64_t seed) : order_(order), random_(seed) {}
  void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) override {
    approach_ = &approach;
    thresholds_ = &thresholds;
  }
  void update(std::int32_t /*contact*/) override {}
  void apply(std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    std::vector<std::int32_t> found;
    for (std::int32_t i = 0; i < approach_->size(); ++i) {
      if ((*approach_)[i] < -(*thresholds_)[i]) found.push_back(i);
    }
    if (found.empty()) return;
    const std::int32_t i = chosen(found);
    impulses.push_back({i, -2.0 * (*approach_)[i]});
  }

 private:
  std::int32_t chosen(const std::vector<std::int32_t>& found) {
    if (order_ == ImpactOrder::lexicographic) return found.front();
    if (order_ == ImpactOrder::random) return found[random_() % found.size()];
    return *std::min_element(found.begin(), found.end(), [&](std::int32_t a, std::int32_t b) {
      return (*approach_)[a] < (*approach_)[b];
    });
  }

  ImpactOrder order_;
  std::mt19937_64 random_;
  const Eigen::VectorXd* approach_ = nullptr;
  const Eigen::VectorXd* thresholds_ = nullptr;
};

/// Contact after contact and bit for bit, of rows of balls, whose contacts are equally fast, too.
TEST(ImpactOperator, FindsWithoutALookAtAllContactsWhatASearchFinds) {
  std::mt19937_64 random(5);
  std::vector<ImpactProblem> problems{test::pool_break(), test::geyser(4, 4)};
  for (int trial = 0; trial < 30; ++trial) {
    problems.push_back(test::random_impact(random, 2 + random() % 200, false));
  }
  constexpr std::uint64_t kSeed = 7;
  constexpr int kMost = 20'000;  // the geyser does not end without a look for equalities
  for (const ImpactProblem& problem : problems) {
    const EnergySpace space = energy_space(problem);
    const Gram gram(space.normals);
    for (const ImpactOrder order :
         {ImpactOrder::lexicographic, ImpactOrder::random, ImpactOrder::worst_first}) {
      const auto impact =
          make_impact_operator(ImpactOperatorKind::gauss_seidel, order, kSeed, gram);
      Searching searching(order, kSeed);
      ElasticState state(space.normals, gram, space.velocity);
      ElasticState other(space.normals, gram, space.velocity);
      int applications = 0;
      while (state.apply(*impact, kEpsilon) && applications < kMost) {
        ++applications;
        ASSERT_TRUE(other.apply(searching, kEpsilon));
        ASSERT_EQ(state.last().front().contact, other.last().front().contact);
        ASSERT_EQ(state.last().front().size, other.last().front().size);
      }
      if (applications < kMost) {
        ASSERT_FALSE(other.apply(searching, kEpsilon));
      }
      ASSERT_GT(applications, 0);
    }
  }
}

TEST(ImpactOperator, OfOneSeedIsTheSameAgain) {
  std::mt19937_64 random(4);
  const EnergySpace space = energy_space(test::random_impact(random, 40, false));
  ElasticOptions options{
      .kind = ImpactOperatorKind::gauss_seidel, .order = ImpactOrder::random, .seed = 11};
  const ElasticOutcome once = elastic_outcome(space.normals, space.velocity, options);
  const ElasticOutcome again = elastic_outcome(space.normals, space.velocity, options);
  EXPECT_EQ((once.velocity - again.velocity).norm(), 0.0);
  options.seed = 12;
  const ElasticOutcome other = elastic_outcome(space.normals, space.velocity, options);
  EXPECT_GT((once.velocity - other.velocity).norm(), 0.0);
}

}  // namespace
}  // namespace scree
