#include "scree/base/copy_on_write.hpp"

#include <gtest/gtest.h>

#include <string>

namespace scree::test {
namespace {

struct Named {
  std::string name = "none";
};

TEST(CopyOnWrite, AFreshOneIsAFreshValueAndMayBeChanged) {
  CopyOnWrite<Named> one;
  EXPECT_EQ(one->name, "none");
  one.change().name = "gravel";
  EXPECT_EQ(one->name, "gravel");
  EXPECT_EQ(CopyOnWrite<Named>()->name, "none");
}

TEST(CopyOnWrite, CopiesShareTheValueUntilOneIsChanged) {
  CopyOnWrite<Named> one = Named{"gravel"};
  CopyOnWrite<Named> other = one;
  EXPECT_EQ(&*one, &*other);
  other.change().name = "sand";
  EXPECT_EQ(one->name, "gravel");
  EXPECT_EQ(other->name, "sand");
}

TEST(CopyOnWrite, AValueThatNobodySharesIsChangedInItsPlace) {
  CopyOnWrite<Named> one = Named{"gravel"};
  const Named* before = &*one;
  one.change().name = "sand";
  EXPECT_EQ(&*one, before);
}

}  // namespace
}  // namespace scree::test
