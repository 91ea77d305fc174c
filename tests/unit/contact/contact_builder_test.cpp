#include "scree/contact/contact_builder.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace scree {
namespace {

constexpr std::int32_t kSlots = 400;

std::vector<std::int64_t> ids_of_all() {
  std::vector<std::int64_t> ids(kSlots);
  std::iota(ids.begin(), ids.end(), 1000);
  return ids;
}

/// The contact of the ball in slot @p i with the next one.
BallContact of_balls(std::int32_t i) {
  const Vec3 normal = Vec3(1.0, 0.1 * i, -2.0).normalized();
  return {.normal = triple_of(normal),
          .gap = 1e-3 * i,
          .a = i,
          .b = i + 1,
          .arm_a = -0.5 - 0.01 * i,
          .arm_b = 0.25 + 0.01 * i,
          .image = 0,
          .on_path = false};
}

Contact as_contact(const BallContact& ball) {
  const Vec3 normal = vec3_of(ball.normal);
  return {.normal = normal,
          .gap = ball.gap,
          .a = ball.a,
          .b = ball.b,
          .arm_a = ball.arm_a * normal,
          .arm_b = ball.arm_b * normal,
          .key = {.id_a = 1000 + ball.a, .id_b = 1000 + ball.b, .image = ball.image},
          .on_path = ball.on_path};
}

/// The contact of the body in slot @p i with a wall, whose arm is along no normal.
Contact of_wall(std::int32_t i) {
  return {.normal = Vec3::UnitZ(),
          .gap = -1e-3,
          .a = i,
          .b = kSlots - 1,
          .arm_a = Vec3(0, 0, -0.5),
          .arm_b = Vec3(0.01 * i, 3.0, 0),
          .key = {.id_a = 1000 + i, .id_b = 1000 + kSlots - 1}};
}

void expect_list(const ContactList& list, const std::vector<Contact>& expected) {
  constexpr double kRounding = 1e-15;  // of arms below 4, made of a number and a unit vector
  ASSERT_EQ(list.size(), expected.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Contact found = list[i];
    EXPECT_EQ(found.normal, expected[i].normal);
    EXPECT_EQ(found.gap, expected[i].gap);
    EXPECT_EQ(found.a, expected[i].a);
    EXPECT_EQ(found.b, expected[i].b);
    EXPECT_LE((found.arm_a - expected[i].arm_a).norm(), kRounding);
    EXPECT_LE((found.arm_b - expected[i].arm_b).norm(), kRounding);
    EXPECT_EQ(found.key, expected[i].key);
    EXPECT_EQ(found.sharing, expected[i].sharing);
    EXPECT_EQ(found.on_path, expected[i].on_path);
  }
}

/// Balls, each with the next one and with a wall; @p turn: called with each ball's number first.
template <class Turn>
std::vector<Contact> build(ContactBuilder& builder, Turn&& turn) {
  std::vector<Contact> expected;
  for (std::int32_t i = 0; i < 150; ++i) {
    turn(i, expected);
    builder.add(of_balls(i));
    expected.push_back(as_contact(of_balls(i)));
    builder.add(of_wall(i), true);
    expected.push_back(of_wall(i));
  }
  EXPECT_EQ(builder.size(), expected.size());
  return expected;
}

TEST(ContactBuilder, KeepsContactsOfBallsAndWalls) {
  ContactBuilder builder(ids_of_all(), 300);
  const std::vector<Contact> expected = build(builder, [](auto...) {});
  EXPECT_TRUE(builder.are_sorted());
  const ContactList list = builder.take();
  EXPECT_TRUE(list.are_of_balls());
  EXPECT_TRUE(ContactView(list).are_single());
  expect_list(list, expected);
}

TEST(ContactBuilder, WritesOutArmsWhereAnotherBodyComes) {
  for (const std::int32_t when : {0, 32, 77}) {  // first; where a block begins; within one
    ContactBuilder builder(ids_of_all(), 0);
    const std::vector<Contact> expected = build(builder, [&](std::int32_t i, auto& so_far) {
      if (i == 5) {  // rare facts, and then contacts without
        BallContact far = of_balls(i);
        far.b = 4;
        far.on_path = true;
        builder.add(far);
        so_far.push_back(as_contact(far));
        so_far.push_back(of_wall(4));
        so_far.back().sharing = 1.5;
        builder.add(so_far.back(), true);
      }
      if (i != when) return;
      Contact other = of_wall(i);
      other.arm_a = Vec3(0.1, 0.2, 0.3);
      other.key.id_b = 500;  // no slot's
      other.sharing = 2.0;
      builder.add(other, false);
      so_far.push_back(other);
    });
    const ContactList list = builder.take();
    EXPECT_FALSE(list.are_of_balls());
    EXPECT_FALSE(ContactView(list).are_single());
    EXPECT_EQ(list.arms().size(), list.blocks().size());
    expect_list(list, expected);
  }
}

TEST(ContactBuilder, HoldsWhatIsRare) {
  ContactBuilder builder(ids_of_all(), 300);
  std::vector<Contact> expected = build(builder, [&](std::int32_t i, auto& so_far) {
    if (i != 80) return;
    BallContact far = of_balls(i);
    far.image = 3;
    far.on_path = true;
    far.b = 20;
    builder.add(far);
    so_far.push_back(as_contact(far));
  });
  expect_list(builder.take(), expected);
}

TEST(ContactBuilder, TellsWhetherKeysAreInOrder) {
  ContactBuilder builder(ids_of_all(), 3);
  builder.add(of_balls(3));
  builder.add(of_balls(7));
  EXPECT_TRUE(builder.are_sorted());
  builder.add(of_balls(5));
  EXPECT_FALSE(builder.are_sorted());
}

TEST(ContactBuilder, WithoutContactsGivesAnEmptyList) {
  EXPECT_TRUE(ContactBuilder(ids_of_all(), 10).take().empty());
}

}  // namespace
}  // namespace scree
