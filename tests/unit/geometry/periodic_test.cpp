#include "scree/geometry/periodic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace scree {
namespace {

PeriodicCell cell_of(std::vector<double> x, std::vector<double> y, std::vector<double> z) {
  return PeriodicOptions{std::move(x), std::move(y), std::move(z)}.cell();
}

TEST(PeriodicCell, WrapsIntoTheCellAndCounts) {
  const PeriodicCell cell = cell_of({-1.0, 2.0}, {}, {0.0, 0.1});
  Vec3 x(9.5, 77.0, -0.25);
  EXPECT_EQ(cell.wrap(x), Vec3i(3, 0, -3));
  EXPECT_NEAR(x.x(), 0.5, 1e-15);
  EXPECT_EQ(x.y(), 77.0);
  EXPECT_NEAR(x.z(), 0.05, 1e-15);
  EXPECT_EQ(cell.wrap(x), Vec3i::Zero());
}

TEST(PeriodicCell, RoundingAtASeamLeavesNothingOutside) {
  for (const double low : {-0.3, 0.0, 0.7, 1e3}) {
    const double period = 0.1;
    const PeriodicCell cell = cell_of({low, low + period}, {}, {});
    for (int k = -50; k <= 50; ++k) {
      const double place = low + k * period;
      for (const double x0 : {place, std::nextafter(place, 1e9), std::nextafter(place, -1e9)}) {
        Vec3 x(x0, 0.0, 0.0);
        const Vec3i taken = cell.wrap(x);
        EXPECT_GE(x.x(), cell.low.x());
        EXPECT_LT(x.x(), cell.low.x() + cell.period.x());
        EXPECT_NEAR(x.x() + cell.shift(taken).x(), x0, 1e-15 * (1.0 + std::abs(x0)) * 10);
        EXPECT_EQ(cell.wrap(x), Vec3i::Zero());
      }
    }
  }
}

TEST(PeriodicCell, ShiftsAWayToItsShortestImage) {
  const PeriodicCell cell{Vec3(-1, 0, 0), Vec3(2, 0, 0.5)};
  EXPECT_EQ(cell.shift_to_shortest(Vec3(0.9, 7, 0.2)), Vec3(0, 0, 0));
  EXPECT_EQ(cell.shift_to_shortest(Vec3(1.1, 7, -0.3)), Vec3(-2, 0, 0.5));
  EXPECT_EQ(cell.shift_to_shortest(Vec3(-5.2, -7, 1.2)), Vec3(6, 0, -1));
}

TEST(PeriodicCell, ImagesAreAllThatMeetTheTarget) {
  const PeriodicCell cell = cell_of({0.0, 1.0}, {0.0, 0.5}, {});
  const Box3 target{Vec3(-0.1, -0.1, 0.0), Vec3(1.1, 0.6, 1.0)};
  for (const double x : {-3.23, 0.02, 0.5, 0.97, 7.0}) {
    for (const double y : {0.03, 0.25, 0.49}) {
      const Box3 box{Vec3(x - 0.1, y - 0.1, 5.0), Vec3(x + 0.1, y + 0.1, 6.0)};
      std::set<std::tuple<int, int, int>> found;
      cell.for_each_image(box, target, [&](const Vec3i& k) {
        EXPECT_TRUE(found.emplace(k.x(), k.y(), k.z()).second);
      });
      for (int i = -10; i <= 10; ++i) {
        for (int j = -10; j <= 10; ++j) {
          Vec3 shift = cell.shift({i, j, 0});
          shift.z() = -5.0;  // that direction does not count
          const bool meets = Box3{box.low + shift, box.high + shift}.meets(target);
          EXPECT_EQ(found.contains({i, j, 0}), meets) << x << " " << y << " " << i << " " << j;
        }
      }
    }
  }
}

TEST(PeriodicCell, ABoxWithoutEndHasNoOtherImage) {
  const double inf = std::numeric_limits<double>::infinity();
  const PeriodicCell cell = cell_of({0.0, 1.0}, {}, {});
  int visits = 0;
  cell.for_each_image({Vec3(-inf, 0, 0), Vec3(inf, 1, 1)}, {Vec3::Zero(), Vec3::Ones()},
                      [&](const Vec3i& k) {
                        EXPECT_EQ(k, Vec3i::Zero());
                        ++visits;
                      });
  EXPECT_EQ(visits, 1);
}

}  // namespace
}  // namespace scree
