#include "step/contact_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "scree/geometry/shapes/plane.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "step/figure_sums.hpp"
#include "step/next_memory.hpp"
#include "step/tool_impulses.hpp"

namespace scree {
namespace {

constexpr double kResultStep = 1e-3;
constexpr std::int32_t kBalls = 50;  // with more contacts than a block

/// Calls `visit(ContactResult)` for each contact of @p outcome.
template <class Visit>
void for_each_result(const ContactOutcome& outcome, Visit&& visit) {
  for_each_block_of_results(outcome, [&](const ResultBlock& block) {
    for (std::size_t i = 0; i < block.size(); ++i) visit(block[i]);
  });
}

/// Balls of all sizes, each with contacts with the next one and with one of two tools, and a
/// solution of random impulses.
class ContactResults : public testing::Test {
 protected:
  ContactResults() {
    for (std::int64_t tool = 0; tool < 2; ++tool) {
      append_tool(store_, {.id = kFirstToolId + tool, .shape = Plane{}});
    }
    for (std::int32_t i = 0; i < kBalls; ++i) {
      append_grain(store_, {.id = i, .shape = Sphere{0.01 + 0.04 * unit(random_)}, .density = 1.0});
    }
    for (std::int32_t i = 0; i < kBalls; ++i) {
      if (i + 1 < kBalls) add(2 + i, 3 + i, i + 1);
      add(2 + i, i % 2, kFirstToolId + i % 2);
    }
    FormulatedStep& step = formulated_;
    step.problem.comm = PETSC_COMM_SELF;
    lambda_ = petsc::make_vector(PETSC_COMM_SELF, step.problem.cones.rows());
    total_ = petsc::make_vector(PETSC_COMM_SELF, step.problem.cones.rows());
    const petsc::View solved(lambda_.get());
    const petsc::View total(total_.get());
    for (std::size_t k = 0; k < solved.size(); ++k) {
      solved[k] = unit(random_);
      total[k] = solved[k] + unit(random_);
    }
  }

  void add(std::int32_t a, std::int32_t b, std::int64_t id_b) {
    const auto vector = [&] { return Vec3(side(random_), side(random_), side(random_)); };
    contacts_.push_back({.normal = vector().normalized(),
                         .gap = 0.01 * side(random_),
                         .a = a,
                         .b = b,
                         .arm_a = vector(),
                         .arm_b = vector(),
                         .key = {a - 2, id_b}});
    formulated_.problem.cones.append(3, 0.5, FrictionLaw::coulomb);
    const bool compliant = unit(random_) < 0.5;
    formulated_.terms.push_back({.compliant = compliant,
                                 .pull = 0.1 * unit(random_),
                                 .rest_gap = compliant ? -0.002 * unit(random_) : 0.0});
  }

  ContactOutcome outcome() {
    list_ = ContactList(contacts_);
    return outcome_of_list();
  }
  ContactOutcome outcome_of_list() const {
    return {list_, formulated_, lambda_.get(), total_.get()};
  }

  /// The records that the next step has of @p outcome.
  ContactRecords remembered(const ContactOutcome& outcome) {
    store_.box = SlotVector<Box3>(store_.id.size(), Box3{Vec3::Zero(), Vec3::Ones()});
    const std::vector<Material> materials{{"stone", 1.0}};
    const std::vector<FrictionPair> pairs{{.between = {"stone", "stone"}, .mu = 0.5}};
    const ContactLaws laws(materials, pairs);
    NextMemory memory(store_, laws, outcome, kResultStep, 0.1, {});
    for_each_block_of_results(outcome, [&](const ResultBlock& block) { memory.add(block); });
    return memory.take();
  }

  std::mt19937 random_{5};
  std::uniform_real_distribution<double> unit;
  std::uniform_real_distribution<double> side{-1.0, 1.0};
  Store store_;
  std::vector<Contact> contacts_;
  ContactList list_;
  FormulatedStep formulated_;
  petsc::Vector lambda_;
  petsc::Vector total_;
};

TEST_F(ContactResults, AreTheRowsInTheWorldFrame) {
  const petsc::ConstView solved(lambda_.get());
  const petsc::ConstView total(total_.get());
  std::size_t n = 0;
  for_each_result(outcome(), [&](const ContactResult& result) {
    const ContactFrame frame = contacts_[n].frame();
    const auto world = [&](const petsc::ConstView& rows) {
      return Vec3(rows[3 * n] * frame.normal + rows[3 * n + 1] * frame.tangent1 +
                  rows[3 * n + 2] * frame.tangent2);
    };
    EXPECT_EQ(result.number, n);
    EXPECT_EQ(result.solved.normal, solved[3 * n]);
    EXPECT_LT((result.solved.linear - world(solved)).norm(), 1e-15);
    EXPECT_LT((result.total.linear - world(total)).norm(), 1e-15);
    ++n;
  });
  EXPECT_EQ(n, contacts_.size());
}

TEST_F(ContactResults, ForcesOnToolsAreTheReactionsOfAll) {
  ToolImpulses sums(store_.n_tools);
  std::vector<Vec3> force(2, Vec3::Zero());
  std::vector<Vec3> torque(2, Vec3::Zero());
  for_each_block_of_results(outcome(), [&](const ResultBlock& block) { sums.add(block); });
  for_each_result(outcome(), [&](const ContactResult& result) {
    const Contact& contact = result.contact;
    if (contact.b >= store_.n_tools) return;
    const Vec3 on_b = result.terms.pull * contact.normal - result.total.linear;
    force[contact.b] += on_b / kResultStep;
    torque[contact.b] += contact.arm_b.cross(on_b) / kResultStep;
  });
  const std::vector<Wrench> wrenches = sums.forces(PETSC_COMM_SELF, kResultStep);
  ASSERT_EQ(wrenches.size(), 2U);
  for (std::size_t tool = 0; tool < 2; ++tool) {
    EXPECT_LT((wrenches[tool].force - force[tool]).norm(), 1e-12 * force[tool].norm());
    EXPECT_LT((wrenches[tool].torque - torque[tool]).norm(), 1e-12 * torque[tool].norm());
    EXPECT_EQ(wrenches[tool].contacts, kBalls / 2);
  }
}

TEST_F(ContactResults, ThePenetrationIsTheLargestOverAnyRadius) {
  double smallest = 1.0;
  for (std::int32_t slot = 2; slot < store_.size(); ++slot) {
    smallest = std::min(smallest, inscribed_radius(store_, slot));
  }
  FigureSums figures(store_, smallest, contacts_.size());
  for_each_block_of_results(outcome(), [&](const ResultBlock& block) { figures.add(block); });
  double largest = 0.0;
  for_each_result(outcome(), [&](const ContactResult& result) {
    const Contact& contact = result.contact;
    double radius = inscribed_radius(store_, contact.a);
    if (contact.b >= 2) radius = std::min(radius, inscribed_radius(store_, contact.b));
    const ContactTerms& terms = result.terms;
    const double sprung = terms.compliant ? std::max(terms.rest_gap - contact.gap, 0.0) : 0.0;
    largest = std::max(largest, (-contact.gap - sprung) / radius);
  });
  const ContactFigures found = figures.of_all_ranks(PETSC_COMM_SELF);
  EXPECT_GT(largest, 0.0);
  EXPECT_DOUBLE_EQ(found.penetration, largest);
  EXPECT_EQ(found.potential, static_cast<std::int64_t>(contacts_.size()));
}

TEST_F(ContactResults, TheNextStepRemembersForcesInTheWorldFrame) {
  const ContactRecords taken = remembered(outcome());
  std::vector<Vec3> forces;
  for_each_result(outcome(), [&](const ContactResult& result) {
    forces.push_back(result.solved.linear / kResultStep);
  });
  const std::vector<ContactRecord> records = taken.copy();
  ASSERT_EQ(records.size(), contacts_.size());
  EXPECT_TRUE(std::ranges::is_sorted(records, {}, &ContactRecord::key));
  for (const ContactRecord& record : records) {
    const auto contact = std::ranges::find(contacts_, record.key, &Contact::key);
    ASSERT_NE(contact, contacts_.end());
    const Vec3& force = forces[static_cast<std::size_t>(contact - contacts_.begin())];
    EXPECT_LT((record.force - force).norm(), 1e-12 * force.norm());
    const Box3 where = taken.box(record).box();
    EXPECT_TRUE(where.contains(Box3{Vec3::Constant(-0.1), Vec3::Constant(0.1)}));
    EXPECT_LT((where.low - Vec3::Constant(-0.1)).norm(), 1e-7);
  }
}

/// Where balls have one point, which is known by their pair alone. Two balls have no other,
/// whatever image they meet in; a ball and a tool may.
TEST_F(ContactResults, OnlyPointsThatAreNotAloneAreRememberedByTheirPlace) {
  const std::size_t last = contacts_.size() - 1;
  contacts_[0].key.image = 1;
  contacts_[last - 1] = contacts_[last];
  contacts_[last].key.feature = 1;
  list_ = ContactList(contacts_, true);
  const ContactRecords of_balls = remembered(outcome_of_list());
  list_ = ContactList(contacts_);
  const ContactRecords of_others = remembered(outcome_of_list());
  ASSERT_EQ(of_balls.size(), contacts_.size());
  for (std::size_t i = 0; i <= last; ++i) {
    EXPECT_EQ(of_balls[i].arm.isZero(0.0F), i < last - 1) << i;
    EXPECT_TRUE(of_others[i].arm.isApprox(contacts_[i].arm_a.cast<float>())) << i;
  }
}

}  // namespace
}  // namespace scree
