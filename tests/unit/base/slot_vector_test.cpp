#include "scree/base/slot_vector.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <span>

namespace scree {
namespace {

TEST(SlotVector, IsIndexedByAnyInteger) {
  SlotVector<double> values(3, 0.0);
  values[std::int32_t{0}] = 1.0;
  values[std::int64_t{1}] = 2.0;
  values[std::size_t{2}] = 3.0;
  const SlotVector<double>& same = values;
  EXPECT_EQ(same[0] + same[1L] + same[2U], 6.0);
}

TEST(SlotVector, ServesWhereAVectorDoes) {
  SlotVector<double> values = std::vector<double>{1.0, 2.0};
  std::vector<double>& vector = values;
  vector.push_back(3.0);
  EXPECT_EQ(values.back(), 3.0);
  EXPECT_EQ(std::span(values).size(), 3U);
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0.0), 6.0);
}

#ifndef NDEBUG
TEST(SlotVector, RefusesASlotThatIsNone) {
  SlotVector<double> values(3, 0.0);
  EXPECT_DEATH(values[-1], "slot");
  EXPECT_DEATH(values[3], "slot");
}
#endif

}  // namespace
}  // namespace scree
