#include "solver/progress/merit_rules.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Holds the rules against iterates of one impulse.
class Rules {
 public:
  explicit Rules(const MeritOptions& options) : rules_(options) {}
  std::optional<MeritRule> judge(double merit, double impulse = 0.0) {
    SCREE_PETSC(VecSet(lambda_.get(), impulse));
    const std::optional<MeritEnd> end = rules_.judge(lambda_.get(), merit);
    return end ? std::optional(end->rule) : std::nullopt;
  }

 private:
  MeritRules rules_;
  petsc::Vector lambda_ = petsc::make_vector(PETSC_COMM_SELF, 1);
};

TEST(MeritRules, NoneEndsAMethodWithoutOptionsOrWithoutMerit) {
  Rules off({});
  EXPECT_FALSE(off.judge(0.0));
  EXPECT_FALSE(off.judge(0.0));
  Rules all({.absolute = 1.0, .relative = 1.0, .change = 1.0});
  EXPECT_FALSE(all.judge(kNan));
  EXPECT_FALSE(all.judge(kNan));
}

TEST(MeritRules, AbsoluteEndsAMeritBelowItsNumber) {
  Rules rules({.absolute = 1e-3});
  EXPECT_FALSE(rules.judge(1e-3));
  EXPECT_EQ(rules.judge(0.9e-3), MeritRule::absolute);
}

TEST(MeritRules, RelativeEndsAMeritThatHardlyChanges) {
  Rules rules({.relative = 0.1});
  EXPECT_FALSE(rules.judge(10.0));  // the first has none to be compared with
  EXPECT_FALSE(rules.judge(8.9));
  EXPECT_FALSE(rules.judge(8.0));
  EXPECT_EQ(rules.judge(8.7), MeritRule::relative);  // a rise as well as a fall
}

TEST(MeritRules, ChangeEndsImpulsesThatHardlyChange) {
  Rules rules({.change = 0.1});
  EXPECT_FALSE(rules.judge(1.0, 0.0));
  EXPECT_FALSE(rules.judge(1.0, 1.0));
  EXPECT_FALSE(rules.judge(1.0, 0.85));
  EXPECT_EQ(rules.judge(1.0, 0.9), MeritRule::change);
}

}  // namespace
}  // namespace scree
