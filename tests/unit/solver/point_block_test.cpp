#include "solver/sweeps/point_block.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "pair_bed.hpp"
#include "scree/contact/contact_list.hpp"
#include "solver/sweeps/row_block.hpp"
#include "support/random_vector.hpp"

namespace scree {
namespace {

using test::BedShape;
using test::make_bed;
using test::PairBed;
using test::random_vector;

constexpr double kRounding = 1e-13;  ///< of sums of some ten products, relative to the largest

/// With contacts of one, two and three rows, on the floor and shared by ranks.
const BedShape kGeneral{
    .side = 6, .flat = 0.4, .frictionless = 0.2, .planar = 0.2, .compliance = 40.0, .shared = true};

/// D_ii + R by the definition: block rows, dense inverse masses.
cones::Square<3> own_block(const PairBed& bed, std::size_t contact) {
  const PairRows rows = bed.rows();
  const auto n = static_cast<Eigen::Index>(rows.n_rows(contact));
  cones::Square<3> d = cones::Square<3>::Zero();
  for (Eigen::Index k = 0; k < n; ++k) d(k, k) = rows.compliance_of(rows.row(contact) + k);
  for_each_block(rows, contact, [&](const double* block, std::size_t body) {
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>> x(block, n,
                                                                                        6);
    const Mat6 mass = Mat6::Map(&bed.inverse_mass[36 * body]);
    d.topLeftCorner(n, n) += bed.sharers[body] * x * mass * x.transpose();
  });
  return d;
}

/// (1 + C) P (1 + C)^T of the numbers of a contact.
template <class Numbers>
cones::Square<3> block_of(const Numbers& numbers, std::size_t local, std::size_t i) {
  const auto at = [&](std::size_t k) { return numbers[local + k][i]; };
  cones::Square<3> lower = cones::Square<3>::Identity();
  lower(1, 0) = at(LocalContact::kFactors);
  lower(2, 0) = at(LocalContact::kFactors + 1);
  lower(2, 1) = at(LocalContact::kFactors + 2);
  const Vec3 pivots(at(LocalContact::kPivots), at(LocalContact::kPivots + 1),
                    at(LocalContact::kPivots + 2));
  return lower * pivots.asDiagonal() * lower.transpose();
}

/// Checks the numbers @p numbers_of of all contacts but the first five, so that blocks are cut.
template <class Numbers, class NumbersOf>
void expect_own_blocks(const PairBed& bed, const PairRows& rows, std::size_t local,
                       const NumbersOf& numbers_of) {
  constexpr std::size_t kFirst = 5;
  constexpr double kUnit = 0.25;  // of impulses, kg
  const NumberedRows of{rows, bed.sharers, LocalLaw::coulomb, kUnit};
  Numbers numbers;
  std::size_t n_seen = 0;
  for_each_part(kFirst, rows.n_contacts() - kFirst, [&](const BlockPart& part) {
    numbers_of(of, part, numbers);
    for (std::size_t i = part.begin; i < part.end; ++i, ++n_seen) {
      const cones::Square<3> expected = kUnit * own_block(bed, part.contact(i));
      EXPECT_LT((block_of(numbers, local, i) - expected).cwiseAbs().maxCoeff(),
                kRounding * expected.trace())
          << part.contact(i);
    }
  });
  EXPECT_EQ(n_seen, rows.n_contacts() - kFirst);
}

TEST(PointBlock, HasTheBlocksOfTheProduct) {
  const PairBed bed = make_bed(kGeneral);
  const test::FormOfBed form(bed);
  ASSERT_EQ(form.form(), PairForm::points);
  const std::vector<PairFrame> frames = frames_of(bed.rows());
  const PairRows rows = bed.rows(PairForm::points, frames, form.masses());
  expect_own_blocks<PointNumbers>(bed, rows, PointContact::kLocal, point_numbers);
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    for_each_block(bed.rows(), i, [&](const double* block, std::size_t body) {
      const Vec6 x = Vec6::Map(block);
      sum += x.dot(Mat6::Map(&bed.inverse_mass[36 * body]) * x);
    });
  }
  EXPECT_NEAR(sum_of_point_normals(rows), sum, kRounding * sum);
}

TEST(RowBlock, HasTheBlocksOfTheProduct) {
  const PairBed bed = make_bed(kGeneral);
  const std::vector<double> factored = bed.factored();
  expect_own_blocks<RowNumbers>(bed, bed.rows(factored), RowContact::kLocal, row_numbers);
}

/// Contacts of bodies 0 to 9 and a tool, as a step lists them.
struct ListedContacts {
  ListedContacts() {
    std::mt19937_64 random(3);
    constexpr std::int32_t kBodies = 10;
    std::vector<Contact> contacts;
    for (std::int32_t i = 0; i < 100; ++i) {
      if (i % static_cast<std::int32_t>(kBlock) == 0) bodies.emplace_back();
      const std::int32_t a = i % kBodies;
      const std::int32_t b = i % 7 == 0 ? -1 : (i + 3) % kBodies;
      bodies.back().a[static_cast<std::size_t>(i) % kBlock] = a;
      bodies.back().b[static_cast<std::size_t>(i) % kBlock] = b;
      Contact contact{};
      contact.normal = random_vector(random, 1.0).normalized();
      contact.a = a;
      contact.b = b < 0 ? kBodies : b;
      contact.arm_a = random_vector(random, 0.01);
      contact.arm_b = random_vector(random, 0.01);
      contact.key = {.id_a = a, .id_b = contact.b, .feature = i};
      contacts.push_back(contact);
      offset.push_back(offset.back() + 1 + i % 3);
    }
    list = ContactList(contacts);
    for (std::int32_t b = 0; b < kBodies; ++b) {
      BodyMass mass{.linear = {2.0, 2.0, 2.0}, .angular = {3e4, 1e3, 2e3, 2e4, -1e3, 4e4}};
      mass.linear[0] += b;
      masses.push_back(mass);
    }
    for (std::int32_t row = 0; row < offset.back(); ++row) {
      velocity.push_back(0.5 + row);
      compliance.push_back(2.0 + row % 5);
    }
    sharers.assign(kBodies, 1.0);
  }
  PairRows rows() const {
    PairRows all;
    all.bodies = {bodies, list.size()};
    all.contacts = list;
    all.frame_blocks = list.blocks();
    all.arms = list.arms();
    all.offset = offset;
    all.velocity = velocity;
    all.compliance = compliance;
    all.friction = friction;
    all.n_bodies = masses.size();
    all.form = PairForm::points;
    all.masses = BodyMasses(std::span<const BodyMass>(masses));
    return all;
  }

  ContactList list;
  std::vector<FrameBodies> bodies;
  std::vector<std::int32_t> offset{0};
  std::vector<double> velocity, compliance, sharers, friction{0.4};
  std::vector<BodyMass> masses;
};

constexpr std::size_t kFirstListed = 3;  ///< so that blocks are cut

TEST(PointBlock, OfListedContactsIsThatOfContactsOneByOne) {
  const ListedContacts contacts;
  const PairRows listed = contacts.rows();
  ASSERT_FALSE(listed.arms.empty());
  PairRows single = listed;
  single.arms = {};
  for (const LocalLaw law : {LocalLaw::coulomb, LocalLaw::projected}) {
    PointNumbers of_listed;
    PointNumbers of_single;
    for_each_part(kFirstListed, listed.n_contacts() - kFirstListed, [&](const BlockPart& part) {
      point_numbers({listed, contacts.sharers, law}, part, of_listed);
      point_numbers({single, contacts.sharers, law}, part, of_single);
      for (std::size_t k = 0; k < PointContact::kNumbers; ++k) {
        for (std::size_t i = part.begin; i < part.end; ++i) {
          EXPECT_NEAR(of_listed[k][i], of_single[k][i],
                      kRounding * (1.0 + std::abs(of_single[k][i])))
              << k << " of " << part.contact(i);
        }
      }
    });
  }
}

TEST(PointBlock, HasTheRowsAndArmsThatAContactHas) {
  using At = PointContact;
  const ListedContacts contacts;
  const PairRows rows = contacts.rows();
  constexpr double kUnit = 0.5;  // of impulses, kg
  PointNumbers numbers;
  for_each_part(kFirstListed, rows.n_contacts() - kFirstListed, [&](const BlockPart& part) {
    point_numbers({rows, contacts.sharers, LocalLaw::coulomb, kUnit}, part, numbers);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const std::size_t contact = part.contact(i);
      SCOPED_TRACE(contact);
      const auto vector = [&](std::size_t at) {
        return Vec3(numbers[at][i], numbers[at + 1][i], numbers[at + 2][i]);
      };
      const PairFrame frame = rows.frame(contact);
      const bool has_b = rows.bodies[contact].size() > 1;
      EXPECT_EQ(vector(At::kArms), frame.arm_a);
      EXPECT_EQ(vector(At::kArms + 3), has_b ? frame.arm_b : Vec3(Vec3::Zero()));
      for (std::size_t k = 0; k < 3; ++k) {
        const bool is_there = k < rows.n_rows(contact);
        const std::size_t row = rows.row(contact) + k;
        const Vec3 axis = is_there ? axis_of(frame.axes, static_cast<int>(k)) : Vec3::Zero();
        EXPECT_LT((vector(At::kFrame + 3 * k) - axis).norm(), kRounding);
        EXPECT_EQ(numbers[At::kLocal + LocalContact::kVelocity + k][i],
                  is_there ? contacts.velocity[row] : 0.0);
        EXPECT_EQ(numbers[At::kLocal + LocalContact::kCompliance + k][i],
                  is_there ? kUnit * contacts.compliance[row] : 0.0);
      }
      EXPECT_EQ(numbers[At::kLocal + LocalContact::kFriction][i],
                rows.n_rows(contact) > 1 ? contacts.friction[0] : 0.0);
    }
  });
}

}  // namespace
}  // namespace scree
