#include "scree/fields/sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>

#include "fields/kernel.hpp"
#include "scree/fields/means.hpp"

namespace scree {
namespace {

using Tensor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

class Random {
 public:
  Vec3 vector(double low, double high) {
    std::uniform_real_distribution<double> one(low, high);
    return {one(engine_), one(engine_), one(engine_)};
  }
  double number(double low, double high) { return vector(low, high).x(); }

 private:
  std::mt19937 engine_{7};
};

FieldGrid grid(const Vec3& low, const Vec3& high, const Vec3i& cells, const Vec3& period) {
  FieldGrid result;
  for (int k = 0; k < 3; ++k) result.axes[k] = {low[k], high[k], cells[k], period[k]};
  return result;
}

/// Grids about grains in the unit cube, for a width of 0.1: all that hold the whole of what is in
/// it.
std::vector<FieldGrid> grids_about_the_unit_cube() {
  const Vec3 none = Vec3::Zero();
  return {
      grid(Vec3::Constant(-0.5), Vec3::Constant(1.5), {13, 8, 21}, none),
      grid(Vec3::Constant(-0.5), Vec3::Constant(1.5), {1, 1, 40}, none),
      grid(Vec3::Constant(-0.5), Vec3::Constant(1.6), {3, 1, 2}, none),
      grid(Vec3::Zero(), Vec3::Ones(), {1, 1, 1}, none),
      grid(Vec3::Zero(), Vec3::Ones(), {7, 5, 9}, Vec3::Ones()),
      grid({0.0, 0.0, -0.5}, {1.0, 1.0, 1.5}, {1, 4, 9}, {1.0, 1.0, 0.0}),
      grid({0.3, -0.7, -0.5}, {1.3, 0.3, 1.5}, {6, 1, 9},
           {1.0, 1.0, 0.0}),                                            // not the cell's own corner
      grid(Vec3::Zero(), {0.2, 1.0, 1.0}, {2, 1, 1}, {0.2, 0.0, 0.0}),  // shorter than the function
  };
}

std::vector<double> values_of(const FieldSums& sums) {
  return sums_over_ranks(MPI_COMM_SELF, sums).numbers;
}

/// The sum over all cells of numbers from @p first on.
template <int kCount>
Eigen::Vector<double, kCount> total(const FieldSums& sums, int first) {
  Eigen::Vector<double, kCount> all = Eigen::Vector<double, kCount>::Zero();
  const std::vector<double> values = values_of(sums);
  for (std::int64_t i = 0; i < sums.grid().n_cells(); ++i) {
    all += Eigen::Map<const Eigen::Vector<double, kCount>>(&values[i * CellSums::kNumbers + first]);
  }
  return all;
}

TEST(FieldSums, HoldMassVolumeMomentumAndItsFluxOfAllGrains) {
  for (const FieldGrid& grid : grids_about_the_unit_cube()) {
    FieldSums sums(grid, 0.1);
    Random random;
    double mass = 0.0, volume = 0.0;
    Vec3 momentum = Vec3::Zero();
    Tensor flux = Tensor::Zero();
    for (int i = 0; i < 200; ++i) {
      const GrainState grain{random.vector(0.0, 1.0), random.vector(0.5, 1.0), random.number(1, 3),
                             random.number(1, 2)};
      sums.add(grain, 0.25);
      mass += 0.25 * grain.mass;
      volume += 0.25 * grain.volume;
      momentum += 0.25 * grain.mass * grain.velocity;
      flux += 0.25 * grain.mass * grain.velocity * grain.velocity.transpose();
    }
    EXPECT_NEAR((total<1>(sums, CellSums::kMass)[0]) / mass, 1.0, 1e-12);
    EXPECT_NEAR((total<1>(sums, CellSums::kVolume)[0]) / volume, 1.0, 1e-12);
    EXPECT_LE((total<3>(sums, CellSums::kMomentum) - momentum).norm(), 1e-12 * momentum.norm());
    const Eigen::Vector<double, 6> found = total<6>(sums, CellSums::kFlux);
    Eigen::Vector<double, 6> wanted;
    wanted << flux(0, 0), flux(1, 1), flux(2, 2), flux(1, 2), flux(0, 2), flux(0, 1);
    EXPECT_LE((found - wanted).norm(), 1e-12 * wanted.norm());
  }
}

TEST(FieldSums, TheStressAddsUpToForceTimesBranch) {
  for (const FieldGrid& grid : grids_about_the_unit_cube()) {
    FieldSums sums(grid, 0.1);
    Random random;
    Tensor stress = Tensor::Zero();
    Vec3 wall = Vec3::Zero();
    for (int i = 0; i < 50; ++i) {
      GrainForce contact{random.vector(0.5, 1.0), {}, random.vector(0.0, 1.0)};
      contact.point = contact.centre + random.vector(-0.1, 0.1);
      sums.add(contact, 2.0);
      sums.add_wall(contact, 2.0);
      stress -= 2.0 * contact.force * (contact.centre - contact.point).transpose();
      wall += 2.0 * contact.force;
    }
    const Eigen::Vector<double, 9> found = total<9>(sums, CellSums::kStress);
    EXPECT_LE((Eigen::Map<const Tensor>(found.data()) - stress).norm(), 1e-12 * stress.norm());
    EXPECT_LE((total<3>(sums, CellSums::kWall) - wall).norm(), 1e-12 * wall.norm());
  }
}

TEST(FieldSums, OfSeveralCellsAreMeansOfTheFunctionOverThem) {
  // One grain, and a grid so fine that the mean over a cell is the value at its centre to
  // (spacing/h)^2/24 |B''|.
  const double width = 0.1, h = spline_unit(width);
  FieldSums sums(grid(Vec3::Constant(-0.4), Vec3::Constant(0.4), {41, 41, 41}, Vec3::Zero()),
                 width);
  const Vec3 at(0.011, -0.023, 0.007);
  sums.add(GrainState{at, Vec3::Zero(), 1.0, 1.0}, 1.0);
  const double peak = std::pow(spline(0.0) / h, 3);
  const double bound = 3.0 * 3.0 * std::pow(sums.grid().spacing().x() / h, 2) / 24.0 * peak;
  const std::vector<double> values = values_of(sums);
  for (std::int64_t i = 0; i < sums.grid().n_cells(); ++i) {
    const Vec3 q = (sums.grid().centre(i) - at) / h;
    const double phi = spline(q.x()) * spline(q.y()) * spline(q.z()) / (h * h * h);
    EXPECT_NEAR(values[i * CellSums::kNumbers] / sums.grid().cell_volume(), phi, bound);
  }
}

TEST(FieldSums, AreThoseOfImagesInAPeriodicCell) {
  // The same grain and contact told by another image, and by hand with all images in a grid that
  // does not repeat.
  const Vec3 period(1.0, 0.0, 0.0);
  const FieldGrid periodic = grid(Vec3::Zero(), Vec3::Ones(), {10, 3, 1}, period);
  const FieldGrid plain = grid(Vec3::Zero(), Vec3::Ones(), {10, 3, 1}, Vec3::Zero());
  FieldSums a(periodic, 0.2), b(periodic, 0.2), c(plain, 0.2);
  const GrainState grain{{0.95, 0.4, 0.5}, {1.0, 2.0, 3.0}, 2.0, 1.0};
  const GrainForce contact{{1.0, -2.0, 0.5}, {1.02, 0.4, 0.5}, grain.position};
  const auto shifted = [&](double by) {
    GrainState one = grain;
    GrainForce other = contact;
    one.position.x() += by;
    other.point.x() += by;
    other.centre.x() += by;
    return std::pair(one, other);
  };
  const auto add = [&](FieldSums& sums, double by) {
    const auto [one, other] = shifted(by);
    sums.add(one, 1.0);
    sums.add(other, 1.0);
    sums.add_wall(other, 1.0);
  };
  add(a, 0.0);
  add(b, -1.0);
  for (const double by : {-2.0, -1.0, 0.0, 1.0, 2.0}) add(c, by);
  const std::vector<double> of_a = values_of(a), of_b = values_of(b), of_c = values_of(c);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    EXPECT_NEAR(of_a[i], of_b[i], 1e-13);
    EXPECT_NEAR(of_a[i], of_c[i], 1e-13);
  }
}

/// The stress's integral along the branch with so many pieces that its error is rounding.
std::vector<double> exact_shares(const FieldGrid& grid, double width, const GrainForce& contact) {
  FieldSums pieces(grid, width);
  constexpr int kPieces = 200;
  const Vec3 b = contact.centre - contact.point;
  for (int k = 0; k < kPieces; ++k) {
    const Vec3 from = contact.point + b * k / kPieces;
    pieces.add(GrainForce{contact.force, from, from + b / kPieces}, 1.0);
  }
  return values_of(pieces);
}

TEST(FieldSums, TheLineIntegralIsRightTo2e6OfThePeak) {
  const double width = 0.1, h = spline_unit(width);
  Random random;
  double worst = 0.0;
  for (const double length : {0.3, 1.0, 2.0, 5.0}) {  // of the branch, widths
    for (int i = 0; i < 8; ++i) {
      GrainForce contact{Vec3::UnitX(), random.vector(-0.05, 0.05), {}};
      const Vec3 b = length * width * random.vector(-1.0, 1.0).normalized();
      contact.centre = contact.point + b;
      // Small cells about the branch's middle, whose values are those of points, nearly.
      const Vec3 middle = contact.point + 0.5 * b;
      const FieldGrid fine = grid(middle - Vec3::Constant(0.3), middle + Vec3::Constant(0.3),
                                  {15, 15, 15}, Vec3::Zero());
      FieldSums sums(fine, width);
      sums.add(contact, 1.0);
      const std::vector<double> values = values_of(sums);
      const std::vector<double> exact = exact_shares(fine, width, contact);
      const double peak = b.norm() * std::pow(spline(0.0) / h, 3) * fine.cell_volume();
      for (std::size_t k = 0; k < exact.size(); ++k) {
        worst = std::max(worst, std::abs(values[k] - exact[k]) / peak);
      }
    }
  }
  std::printf("worst error of the line integral: %.2g of the peak\n", worst);
  EXPECT_LE(worst, 2e-6);  // measured: 1.7e-6
}

TEST(FieldSums, ForcesAreTheDivergenceOfTheStressAndTheWallsForce) {
  // sum f phi(r - x) = div sigma_c + t along a line of points, by central differences of step d:
  // cells as small as d/10 about each point have its values to (d/10h)^2, the differences are right
  // to (d/h)^2/6 of a third derivative.
  const double width = 0.1, h = spline_unit(width), d = 0.004 * h;
  const GrainForce contact{{0.3, -1.0, 2.0}, {0.02, 0.01, -0.12}, {0.0, 0.0, 0.0}};
  const auto at = [&](const Vec3& r) {  // cell 13 of 27
    const Vec3 side = Vec3::Constant(0.15 * d);
    FieldSums sums(grid(r - side, r + side, {3, 3, 3}, Vec3::Zero()), width);
    sums.add(contact, 1.0);
    sums.add_wall(contact, 1.0);
    sums.add(GrainState{contact.centre, Vec3::Zero(), 1.0, 1.0}, 1.0);
    const std::vector<double> values = values_of(sums);
    const double* cell = &values[13 * CellSums::kNumbers];
    return Eigen::Vector<double, CellSums::kNumbers>(
        Eigen::Map<const Eigen::Vector<double, CellSums::kNumbers>>(cell) /
        sums.grid().cell_volume());
  };
  const auto stress_at = [&](const Vec3& r) {
    const auto numbers = at(r);
    return Tensor(Eigen::Map<const Tensor>(numbers.data() + CellSums::kStress));
  };
  const double scale = contact.force.norm() * std::pow(spline(0.0) / h, 3);
  for (double s = -2.0; s <= 2.0; s += 0.31) {
    const Vec3 r = Vec3(0.01, -0.02, 0.0) + s * h * Vec3(0.3, 0.5, 0.8);
    Vec3 divergence = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = d * Vec3::Unit(k);
      divergence += (stress_at(r + step) - stress_at(r - step)).col(k) / (2.0 * d);
    }
    const auto numbers = at(r);
    const Vec3 force = contact.force * numbers[CellSums::kMass];
    const Vec3 found = divergence + numbers.segment<3>(CellSums::kWall);
    EXPECT_LE((found - force).norm(), 1e-4 * scale) << s;
  }
}

TEST(MeanFields, SplitTheFluxOfMomentumIntoMeanAndFluctuation) {
  // Two grains of one kilogram at one place, at +-u about a mean velocity: sigma_k = -2 u u^T phi.
  const FieldGrid one = grid(Vec3::Zero(), {1.0, 2.0, 4.0}, {1, 1, 1}, Vec3::Zero());
  FieldSums sums(one, 0.0);
  const Vec3 mean(1.0, -2.0, 3.0), u(0.5, 0.25, -1.0);
  for (const double sign : {-1.0, 1.0}) {
    sums.add(GrainState{Vec3::Constant(0.5), mean + sign * u, 1.0, 0.1}, 0.5);
  }
  const auto fields = mean_fields(values_of(sums), one, 0.5);
  const auto values = [&](std::string_view name) {
    for (const MeanField& field : fields) {
      if (field.kind->name == name) return field.values;
    }
    return std::vector<double>{};
  };
  EXPECT_NEAR(values("density").at(0), 2.0 / 8.0, 1e-15);
  EXPECT_NEAR(values("packing_fraction").at(0), 0.2 / 8.0, 1e-15);
  EXPECT_LE((Vec3(values("velocity").data()) - mean).norm(), 1e-14);
  const Tensor wanted = -2.0 / 8.0 * u * u.transpose();
  EXPECT_LE((Eigen::Map<const Tensor>(values("kinetic_stress").data()) - wanted).norm(), 1e-14);
  EXPECT_NEAR(values("pressure").at(0), -wanted.trace() / 3.0, 1e-14);
}

TEST(MeanFields, HaveNoVelocityWhereNoGrainIs) {
  const FieldGrid two = grid(Vec3::Zero(), Vec3::Ones(), {1, 1, 2}, Vec3::Zero());
  FieldSums sums(two, 0.01);
  sums.add(GrainState{{0.5, 0.5, 0.25}, Vec3::UnitX(), 1.0, 0.1}, 1.0);
  const auto fields = mean_fields(values_of(sums), two, 1.0);
  EXPECT_EQ(fields[0].values[1], 0.0);
  EXPECT_TRUE(std::isnan(fields[3].values[3]));
  EXPECT_EQ(fields[3].values[0], 1.0);
}

}  // namespace
}  // namespace scree
