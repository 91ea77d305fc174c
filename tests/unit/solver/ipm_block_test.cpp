#include "solver/interior_point/ipm_block.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "solver/interior_point/ipm_cones.hpp"

namespace scree::ipm {
namespace {

/// A spectrum with spectral values @p low and @p high, along a random tangent.
template <int N>
jordan::Spectrum<N> random_spectrum(double low, double high, std::mt19937& generator) {
  jordan::Vector<N> x = jordan::unit<N>();
  for (int k = 1; k < N; ++k) x[k] = static_cast<double>(generator()) / 4294967296.0 - 0.5;
  jordan::Spectrum<N> s = jordan::spectrum<N>(x);
  s.low = low;
  s.high = N == 1 ? low : high;  // a half line has one value
  return s;
}

/// (S + R + reg)^-1 W.
template <int N>
jordan::Matrix<N> scaled_inverse(const StepBlock<N>& block) {
  jordan::Matrix<N> columns;
  for (int k = 0; k < N; ++k) {
    columns.col(k) = block.solve(jordan::Vector<N>::Unit(k), jordan::Vector<N>::Zero()).x;
  }
  return columns;
}

template <int N>
jordan::Matrix<N> columns_of_inverse(const StepBlock<N>& block) {
  jordan::Matrix<N> columns;
  for (int k = 0; k < N; ++k) {
    columns.col(k) = block.solve(jordan::Vector<N>::Zero(), jordan::Vector<N>::Unit(k)).x;
  }
  return columns;
}

template <int N>
void expect_near(const jordan::Matrix<N>& value, const jordan::Matrix<N>& expected, double share,
                 double beside = 0.0) {
  EXPECT_LE((value - expected).norm(), share * (expected.norm() + beside)) << value << "\n\n"
                                                                           << expected;
}

/// Values of W this far apart, low to high; rounding alone, some dozens of operations of it.
constexpr std::array kSpreads{1.0, 1e3, 1e8, 1e20};
constexpr double kRounding = 1e-14;

/// R = rho I is what reg is: the factors and the function of S are two ways to one block. The
/// latter passes through the value beside the spectral vectors, 1 / (1 + rho) here, for a planar
/// cone, too, and rounds there.
template <int N>
void expect_evenly_soft_is_regularised() {
  std::mt19937 generator(3);
  for (const double spread : kSpreads) {
    const double high = std::sqrt(spread);
    const auto s = random_spectrum<N>(1.0 / high, high, generator);
    for (const double rho : {1e-6, 1e-2, 1.0}) {
      const StepBlock<N> soft(s, 0.0, jordan::Vector<N>::Constant(rho));
      const StepBlock<N> regularised(s, rho, jordan::Vector<N>::Zero());
      const double beside = 1.0 / (1.0 + rho);
      const jordan::Matrix<N> inverse = regularised.inverse();
      expect_near<N>(soft.inverse(), inverse, kRounding, beside);
      expect_near<N>(columns_of_inverse(soft), inverse, kRounding, beside);
      expect_near<N>(scaled_inverse(soft), scaled_inverse(regularised), kRounding, beside);
    }
  }
}

TEST(StepBlock, EvenlySoftIsRegularised) {
  expect_evenly_soft_is_regularised<1>();
  expect_evenly_soft_is_regularised<2>();
  expect_evenly_soft_is_regularised<3>();
}

/// Where both tangents are as soft, what lies beside the spectral vectors does not couple, and the
/// rest is, with a = (d_n + d_t) / 2, b = (d_n - d_t) / 2 and l, h the squares of the spectral
/// values,
///
///     [ l + a, b; b, h + a ]^-1 = [ h + a, -b; -b, l + a ] / (l h + a (l + h) + d_n d_t)
///
/// in which nothing cancels. What the block loses is the spread of R, not that of S: the sum formed
/// as a matrix would lose all digits of R where S is 1e20 of it.
TEST(StepBlock, KeepsItsDigitsAtTheEndOfThePath) {
  std::mt19937 generator(5);
  for (const double spread : kSpreads) {
    for (const auto& [normal, tangential] : {std::pair{0.1, 1e-2}, {1e-3, 1.0}, {1e-6, 1e-6}}) {
      const double high = std::sqrt(spread);
      const auto s = random_spectrum<3>(1.0 / high, high, generator);
      const StepBlock<3> block(s, 0.0, jordan::Vector<3>(normal, tangential, tangential));
      const double a = 0.5 * (normal + tangential);
      const double b = 0.5 * (normal - tangential);
      const double l = s.low * s.low;
      const double h = s.high * s.high;
      const double det = l * h + a * (l + h) + normal * tangential;
      jordan::Matrix<3> inside = jordan::Matrix<3>::Zero();  // in the basis of S
      inside.topLeftCorner<2, 2>() << h + a, -b, -b, l + a;
      inside /= det;
      inside(2, 2) = 1.0 / (s.det() + tangential);
      const jordan::Matrix<3> q = jordan::basis_of<3>(s);
      const jordan::Matrix<3> inverse = q * inside * q.transpose();
      const jordan::Vector<3> w(s.low, s.high, std::sqrt(s.det()));
      const jordan::Matrix<3> scaled = q * inside * w.asDiagonal() * q.transpose();
      const double share = kRounding * std::max(normal / tangential, tangential / normal);
      expect_near<3>(block.inverse(), inverse, share);
      expect_near<3>(columns_of_inverse(block), inverse, share);
      expect_near<3>(scaled_inverse(block), scaled, share);
    }
  }
}

/// W (g - W x) is what the equation leaves of it, (R + reg) x - z, to rounding of z, however far
/// W's values lie apart: at the end of a path g is as small as 1/high, and z is what y lacks. W
/// times x itself would give it to high^2 eps |x| alone, which is 1 here where high is 1e8.
template <int N>
void expect_keeps_the_equation() {
  std::mt19937 generator(11);
  for (const double high : {1e2, 1e5, 1e8}) {
    const auto s = random_spectrum<N>(1.0 / high, high, generator);
    for (const double compliance : {0.0, 0.5}) {
      const double reg = 1.0;
      const StepBlock<N> block(s, reg, jordan::Vector<N>::Constant(compliance));
      const jordan::Vector<N> z = 0.3 * s.q_low - 0.7 * s.q_high;
      const jordan::Vector<N> g = (0.9 * s.q_low + 0.4 * s.q_high) / high;
      const auto [x, scaled] = block.solve(g, z);
      const jordan::Vector<N> left = times_w<N>(s, g - scaled);
      const jordan::Vector<N> expected = (compliance + reg) * x - z;
      EXPECT_LE((left - expected).norm(), kRounding) << high << " " << compliance;
    }
  }
}

TEST(StepBlock, KeepsTheEquationAtTheEndOfThePath) {
  expect_keeps_the_equation<2>();
  expect_keeps_the_equation<3>();
}

TEST(StepBlock, BasisIsOrthonormal) {
  std::mt19937 generator(7);
  const auto s = random_spectrum<3>(0.5, 2.0, generator);
  EXPECT_LE(
      (jordan::basis_of<3>(s).transpose() * jordan::basis_of<3>(s) - Eigen::Matrix3d::Identity())
          .norm(),
      1e-15 * 10);
  const auto on_axis = jordan::spectrum<3>(jordan::unit<3>());
  EXPECT_LE((jordan::basis_of<3>(on_axis) * jordan::basis_of<3>(on_axis).transpose() -
             Eigen::Matrix3d::Identity())
                .norm(),
            1e-15 * 10);
}

}  // namespace
}  // namespace scree::ipm
