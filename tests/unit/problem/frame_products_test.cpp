/// Products of frames and of block rows with what bodies have, against the blocks of their rows.

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>
#include <vector>

#include "scree/problem/block_rows.hpp"

namespace scree {
namespace {

constexpr int kBodies = 40;
constexpr std::size_t kFrames = 320;

/// More contacts than a block has, each with one body or two, then two equations. Arms of balls are
/// along the normals.
struct MixedRows {
  BlockRows rows;
  Cones cones;
  std::mt19937 random{5};

  bool of_balls;

  explicit MixedRows(bool balls) : of_balls(balls) {
    rows.pattern.n_owned = kBodies;
    std::vector<Contact> contacts;
    std::vector<FrameBodies> bodies(kFrames / kBlock);
    for (std::size_t i = 0; i < kFrames; ++i) set_bodies(bodies, i);
    for (int i = 0; i < 100; ++i) add(contacts, cones::HalfLine{});
    for (int i = 0; i < 150; ++i) add(contacts, cones::Circular{{0.4}});
    for (int i = 0; i < 70; ++i) add(contacts, cones::Spinning{{0.4, 0.1, 0.05}});
    contacts.back().normal = -Vec3::UnitZ();  // whose tangents are chosen
    for (Contact& contact : contacts) {
      contact.arm_a = arm(contact);
      contact.arm_b = arm(contact);
    }
    rows.set_frames(ContactList(contacts, of_balls), std::move(bodies));
    for (int i = 0; i < 2; ++i) add_equation();
  }

  Vec3 vector() {
    std::normal_distribution<double> any;
    return {any(random), any(random), any(random)};
  }
  std::int32_t body() {
    return std::uniform_int_distribution<std::int32_t>(0, kBodies - 1)(random);
  }

  Vec3 arm(const Contact& contact) {
    const Vec3 any = vector();
    return of_balls ? Vec3(any.x() * contact.normal) : any;
  }

  template <class Cone>
  void add(std::vector<Contact>& contacts, const Cone& cone) {
    Contact contact{};
    contact.normal = vector().normalized();
    contacts.push_back(contact);
    rows.frame_length.push_back(0.1 + 0.01 * static_cast<double>(contacts.size()));
    cones.append(cone);
  }

  void set_bodies(std::vector<FrameBodies>& bodies, std::size_t i) {
    bodies[i / kBlock].a[i % kBlock] = body();
    bodies[i / kBlock].b[i % kBlock] = i % 3 == 0 ? -1 : body();
  }

  void add_equation() {
    rows.pattern.place.push_back(rows.jacobian.size());
    cones.append(cones::Joint{});
    rows.pattern.append(std::array{body(), body()});
    for (int k = 0; k < 12; ++k) {
      const Vec3 x = vector();
      rows.jacobian.insert(rows.jacobian.end(), x.begin(), x.end());
    }
  }

  std::vector<double> numbers(std::size_t n) {
    std::normal_distribution<double> any;
    std::vector<double> x(n);
    for (double& one : x) one = any(random);
    return x;
  }
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
}

class FrameProducts : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, FrameProducts, testing::Bool(), [](const auto& of_balls) {
  return of_balls.param ? "OfBalls" : "OfAnyShape";
});

TEST_P(FrameProducts, AreThoseOfTheBlocks) {
  MixedRows mixed(GetParam());
  ASSERT_EQ(mixed.rows.frames.ball_arms().empty(), !GetParam());
  ASSERT_EQ(mixed.rows.frames.arms().empty(), GetParam());
  const std::vector<double> v = mixed.numbers(kBodies * kBodyDofs);
  std::vector<double> u = mixed.numbers(mixed.cones.rows());
  std::vector<double> expected = u;
  for_each_cone(mixed.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    for_each_entry<Cone::kDim>(mixed.rows, at.number, [&](const auto& block, std::int32_t body) {
      rows_of(cone, expected.data() + at.row) += block * Vec6::Map(&v[kBodyDofs * body]);
    });
  });
  multiply(mixed.rows, mixed.cones, v, u);
  expect_near(u, expected);
}

TEST_P(FrameProducts, TransposedAreThoseOfTheBlocks) {
  MixedRows mixed(GetParam());
  const std::vector<double> lambda = mixed.numbers(mixed.cones.rows());
  std::vector<double> momenta = mixed.numbers(kBodies * kBodyDofs);
  std::vector<double> expected = momenta;
  for_each_cone(mixed.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    for_each_entry<Cone::kDim>(mixed.rows, at.number, [&](const auto& block, std::int32_t body) {
      Vec6::Map(&expected[kBodyDofs * body]) +=
          block.transpose() * rows_of(cone, lambda.data() + at.row);
    });
  });
  multiply_transposed(mixed.rows, mixed.cones, lambda, momenta);
  expect_near(momenta, expected);
}

}  // namespace
}  // namespace scree
