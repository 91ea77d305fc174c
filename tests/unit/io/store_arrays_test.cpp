#include "scree/io/state/store_arrays.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "support/made_rows.hpp"
#include "support/sample_store.hpp"

namespace scree {
namespace {

/// Fields that steps fill anew before they read them, so that a checkpoint need not hold them: a
/// field that is added to the store's table is either saved or named here, with a reason.
const std::set<std::string_view> kFilledAnew{
    "free_velocity",  // predict
    "box",            // update_boxes
    "skin",           // where pairs are listed anew, as after a restart
    "image",          // Exchange::ghosts; zero for what a checkpoint holds
};

template <class T>
bool same_bytes(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Shape>) {
    if (a.number() != b.number()) return false;  // padding is of no matter
    return visit(
        [&b]<class S>(const S& s) {
          return std::is_empty_v<S> || std::memcmp(&s, &b.template get<S>(), sizeof(S)) == 0;
        },
        a);
  } else {
    return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
  }
}

/// Values that a careless conversion would lose.
Store hard_store() {
  Store store = test::sample_store(0, 40, 1);
  const std::size_t at = store.first_owned();
  store.id[at] = (std::int64_t{1} << 61) + 1;  // no double holds it
  store.position[at] = {-0.0, std::numeric_limits<double>::denorm_min(), 0.1 + 0.2};
  store.velocity[at] = {std::nextafter(1.0, 2.0), -std::numeric_limits<double>::max(), 1e-300};
  store.orientation[at] = Quat(0.1, -0.2, 0.3, -0.4);  // as it is, not of length one
  store.shape[at] = Box{.half_size = {0.1, 0.2, 0.3}};
  store.fixed[at] = 255;
  store.group[at] = -7;
  store.wraps[at] = {-3, 0, 2000000000};
  return store;
}

std::vector<NumberArray> arrays_of(const Store& store, std::int32_t begin, std::int32_t end) {
  return test::made(store_rows(store, begin, end));
}

TEST(StoreArrays, GiveEveryFieldBackBitForBit) {
  const Store before = hard_store();
  Store after;
  after.n_tools = append_arrays(after, arrays_of(before, 0, before.n_tools));
  after.n_owned = append_arrays(after, arrays_of(before, before.first_owned(), before.end_owned()));
  ASSERT_EQ(after.size(), before.size());
  ASSERT_EQ(after.n_tools, before.n_tools);
  int compared = 0;
  for_each_field(after, [&]<class T>(const FieldInfo& info, const std::vector<T>& field) {
    if (kFilledAnew.contains(info.name)) return;
    ++compared;
    for_each_field(before, [&]<class U>(const FieldInfo& other, const std::vector<U>& expected) {
      if constexpr (std::is_same_v<T, U>) {
        if (other.name != info.name) return;
        for (std::size_t i = 0; i < field.size(); ++i) {
          ASSERT_TRUE(same_bytes(field[i], expected[i])) << info.name << " of slot " << i;
        }
      }
    });
  });
  EXPECT_EQ(compared, 15);
}

TEST(StoreArrays, EveryFieldIsSavedOrFilledAnew) {
  const Store store;
  for_each_field(store, []<class T>(const FieldInfo& info, const std::vector<T>&) {
    EXPECT_NE(info.saved, kFilledAnew.contains(info.name))
        << info.name << ": saved in checkpoints, or filled anew by steps?";
  });
}

TEST(StoreArrays, AnArrayThatIsMissingOrOtherIsNamed) {
  const Store before = hard_store();
  const auto refusal = [&](auto change) {
    std::vector<NumberArray> arrays = arrays_of(before, before.first_owned(), before.end_owned());
    change(arrays);
    try {
      Store after;
      append_arrays(after, arrays);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  EXPECT_NE(refusal([](auto& a) { a.erase(a.begin() + 1); }).find("position"), std::string::npos);
  EXPECT_NE(refusal([](auto& a) { a[1].width = 1; }).find("position"), std::string::npos);
  EXPECT_NE(refusal([](auto& a) { a[2].values = std::vector<std::int64_t>(160); }).find("orient"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& a) { std::get<0>(a[6].values).pop_back(); }).find("mass"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
