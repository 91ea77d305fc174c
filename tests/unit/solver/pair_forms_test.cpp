#include "solver/sweeps/pair_forms.hpp"

#include <gtest/gtest.h>

#include "pair_bed.hpp"

namespace scree {
namespace {

using test::BedShape;
using test::FormOfBed;
using test::make_bed;
using test::PairBed;

const BedShape kSpheres{.side = 5, .frictionless = 0.2, .compliance = 40.0};
const BedShape kPoints{.side = 5, .flat = 0.4, .frictionless = 0.2, .compliance = 40.0};

/// The form of a bed after a change, relative to kFormTolerance 100 times too large.
template <class Change>
PairForm form_after(const BedShape& shape, Change&& change) {
  PairBed bed = make_bed(shape);
  change(bed);
  return FormOfBed(bed).form();
}
constexpr double kMuch = 100.0 * kFormTolerance;
constexpr double kLittle = 0.01 * kFormTolerance;
constexpr double kRadius = 0.005;  // m, of make_bed

TEST(PairForms, AreRecognised) {
  EXPECT_EQ(form_after(kSpheres, [](PairBed&) {}), PairForm::spheres);
  EXPECT_EQ(form_after(kPoints, [](PairBed&) {}), PairForm::points);
}

TEST(PairForms, OtherMassesAreNoSpheres) {
  const auto another_moment = [](PairBed& bed) { bed.inverse_mass[21] *= 1.0 + kMuch; };
  EXPECT_EQ(form_after(kSpheres, another_moment), PairForm::points);
  const auto held = [](PairBed& bed) { bed.inverse_mass[7] = 0.0; };
  EXPECT_EQ(form_after(kSpheres, held), PairForm::points);
  const auto turned = [](PairBed& bed) {
    bed.inverse_mass[22] = bed.inverse_mass[27] = 0.1 * bed.inverse_mass[21];
  };
  EXPECT_EQ(form_after(kSpheres, turned), PairForm::points);
}

TEST(PairForms, MassesThatCoupleNeedRows) {
  const auto couple = [](double share) {
    return [share](PairBed& bed) {
      const double size = std::sqrt(bed.inverse_mass[0] * bed.inverse_mass[28]);
      bed.inverse_mass[4] = bed.inverse_mass[24] = share * size;
    };
  };
  EXPECT_EQ(form_after(kPoints, couple(kMuch)), PairForm::rows);
  EXPECT_EQ(form_after(kPoints, couple(kLittle)), PairForm::points);
  const auto linear = [](PairBed& bed) {
    bed.inverse_mass[1] = bed.inverse_mass[6] = kMuch * bed.inverse_mass[0];
  };
  EXPECT_EQ(form_after(kPoints, linear), PairForm::rows);
  const auto skew = [](PairBed& bed) { bed.inverse_mass[22] = kMuch * bed.inverse_mass[21]; };
  EXPECT_EQ(form_after(kPoints, skew), PairForm::rows);
}

TEST(PairForms, ArmsOffTheNormalAreNoSpheres) {
  const auto tilt = [](PairBed& bed) {
    // an arm moved along the first tangent turns with the normal and the second one
    for (std::size_t k = 0; k < 3; ++k) {
      const double* f = bed.jacobian.data();
      const Vec3 arm = kMuch * kRadius * Vec3(f[6], f[7], f[8]);
      const Vec3 turn = arm.cross(Vec3(f[6 * k], f[6 * k + 1], f[6 * k + 2]));
      for (std::size_t d = 0; d < 3; ++d) bed.jacobian[6 * k + 3 + d] += turn[static_cast<int>(d)];
    }
  };
  BedShape shape = kSpheres;
  shape.frictionless = 0.0;
  EXPECT_EQ(form_after(shape, tilt), PairForm::points);
}

TEST(PairForms, RowsThatAreNoArmsNeedRows) {
  BedShape shape = kPoints;
  shape.frictionless = 0.0;
  const auto add = [](std::size_t k, double x) {
    return [k, x](PairBed& bed) { bed.jacobian[k] += x; };
  };
  EXPECT_EQ(form_after(shape, add(0, kMuch)), PairForm::rows);            // no unit vector
  EXPECT_EQ(form_after(shape, add(3, kMuch * kRadius)), PairForm::rows);  // one row turns otherwise
  EXPECT_EQ(form_after(shape, add(3, kLittle * kRadius)), PairForm::points);
  const auto second_body = [](PairBed& bed) {
    std::size_t i = 0;
    while (bed.first[i + 1] - bed.first[i] < 2) ++i;
    bed.jacobian[bed.place[i] + 18] += kMuch;
  };
  EXPECT_EQ(form_after(shape, second_body), PairForm::rows);
}

/// Rows r x f of arms in all directions, with one, two and three rows; the part along a single row
/// has no effect and is zero.
TEST(PairForms, ArmsAreThoseOfTheRows) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 20; ++n) {
    const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
    const Vec3 e = vector().normalized();
    const Vec3 t = e.cross(vector()).normalized();
    const Vec3 frame[3] = {e, t, e.cross(t)};
    const Vec3 arms[2] = {vector(), vector()};
    for (const int n_rows : {1, 2, 3}) {
      std::vector<double> blocks;
      for (int side = 0; side < 2; ++side) {
        const double sign = side == 0 ? 1.0 : -1.0;
        for (int k = 0; k < n_rows; ++k) {
          const Vec3 f = sign * frame[k];
          const Vec3 turn = arms[side].cross(f);
          blocks.insert(blocks.end(), f.begin(), f.end());
          blocks.insert(blocks.end(), turn.begin(), turn.end());
        }
      }
      const std::vector<std::int32_t> first{0, 2};
      const std::vector<std::int32_t> body{0, 1};
      const std::vector<std::size_t> place{0};
      const std::vector<std::int32_t> offset{0, n_rows};
      PairRows rows;
      rows.bodies = {first, body};
      rows.place = place;
      rows.blocks = blocks;
      rows.offset = offset;
      const PairFrame found = frames_of(rows).front();
      EXPECT_EQ(found.axes.normal, e);
      EXPECT_EQ(found.axes.tangent1, n_rows > 1 ? t : Vec3(Vec3::Zero()));
      EXPECT_EQ(found.axes.tangent2, n_rows > 2 ? frame[2] : Vec3(Vec3::Zero()));
      for (int side = 0; side < 2; ++side) {
        const Vec3 along = n_rows == 1 ? Vec3(e.dot(arms[side]) * e) : Vec3::Zero();
        const Vec3& arm = side == 0 ? found.arm_a : found.arm_b;
        EXPECT_LT((arm - (arms[side] - along)).norm(), 1e-14) << n_rows << " " << side;
      }
    }
  }
}

}  // namespace
}  // namespace scree
