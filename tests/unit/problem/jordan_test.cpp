#include "scree/problem/cones/jordan.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <random>
#include <vector>

#include "support/dense_matrices.hpp"

namespace scree {
namespace {

/// Takes any size, so that it is compiled once and not for each N.
void expect_near(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance = 1e-12) {
  EXPECT_LE((a - b).norm(), tolerance * std::max(1.0, b.norm())) << a << "\n\n" << b;
}

/// The identities of paper 004, section 3, for one N.
template <class Dimension>
class Jordan : public ::testing::Test {
 protected:
  static constexpr int kN = Dimension::value;
  using Point = jordan::Vector<kN>;
  using Square = jordan::Matrix<kN>;

  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(generator_()) / 4294967296.0);
  }
  Point any() {
    Point x;
    for (int k = 0; k < kN; ++k) x[k] = uniform(-2, 2);
    return x;
  }
  /// In the interior; x_n - |x_t| = @p depth.
  Point interior(double depth) {
    Point x = any();
    x[0] = jordan::tangent_norm<kN>(x) + depth;
    return x;
  }
  Point interior() { return interior(uniform(0.1, 2)); }
  static bool in_cone(const Point& x, double slack) {
    return x[0] - jordan::tangent_norm<kN>(x) >= -slack;
  }
  static Square reflection() {
    Square j = -Square::Identity();
    j(0, 0) = 1;
    return j;
  }
  static constexpr int kTrials = 200;
  std::mt19937 generator_{7};
};

using Dimensions = ::testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 3>,
                                    std::integral_constant<int, 4>>;
TYPED_TEST_SUITE(Jordan, Dimensions);

#define SCREE_JORDAN_NAMES            \
  constexpr int N = TypeParam::value; \
  using Vector = jordan::Vector<N>;   \
  using Matrix = jordan::Matrix<N>;   \
  static_cast<void>(sizeof(Vector) + sizeof(Matrix))

TYPED_TEST(Jordan, ProductCommutesAndItsPowersAssociate) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->any();
    const Vector y = this->any();
    const Vector xx = jordan::product<N>(x, x);
    const Vector xy = jordan::product<N>(x, y);
    expect_near(xy, jordan::product<N>(y, x));
    expect_near(jordan::product<N>(xx, xy),
                jordan::product<N>(x, Vector(jordan::product<N>(xx, y))));  // the Jordan identity
    EXPECT_TRUE(this->in_cone(xx, 1e-12));  // C is the set of squares
  }
}

TYPED_TEST(Jordan, A_ConeIsSelfDual) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    EXPECT_GE(this->interior(0.0).dot(this->interior(0.0)), -1e-14);
    Vector out = this->any();
    out[0] = jordan::tangent_norm<N>(out) - this->uniform(0.01, 1);
    // a point outside makes a negative product with some point of the cone: a spectral vector
    EXPECT_LT(jordan::spectrum<N>(out).q_low.dot(out), 0.0);
  }
}

TYPED_TEST(Jordan, B_UnitElement) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->any();
    expect_near(jordan::product<N>(x, jordan::unit<N>()), x);
  }
}

TYPED_TEST(Jordan, C_SpectralDecomposition) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    Vector x = this->any();
    if (t == 0) x.setZero();
    if (t == 1) x = jordan::unit<N>();
    const jordan::Spectrum<N> s = jordan::spectrum<N>(x);
    expect_near(s.point(), x);
    expect_near(Vector(s.q_low + s.q_high), jordan::unit<N>());
    EXPECT_LE(s.low, s.high);
    EXPECT_EQ(s.low > 0.0, jordan::is_interior<N>(x));
    if (N == 1) continue;  // a line holds no two orthogonal vectors
    EXPECT_NEAR(s.q_low.norm(), 1, 1e-14);
    EXPECT_NEAR(s.q_high.norm(), 1, 1e-14);
    EXPECT_NEAR(s.q_low.dot(s.q_high), 0, 1e-14);
  }
}

/// P(x) is diagonal in the basis, with the values low^2, high^2 and low high.
TYPED_TEST(Jordan, C_BasisOfTheSpectrum) {
  SCREE_JORDAN_NAMES;
  if constexpr (N <= 3) {
    for (int t = 0; t < this->kTrials; ++t) {
      Vector x = this->any();
      if (t == 0) x.setZero();
      const jordan::Spectrum<N> s = jordan::spectrum<N>(x);
      const Matrix q = jordan::basis_of<N>(s);
      EXPECT_LE((q.transpose() * q - Matrix::Identity()).norm(), 1e-14);
      Vector values = Vector::Constant(s.det());
      if constexpr (N > 1) {
        values[0] = s.low * s.low;
        values[1] = s.high * s.high;
      }
      const Matrix p = q * values.asDiagonal() * q.transpose();
      EXPECT_LE((p - jordan::quadratic<N>(x)).norm(), 1e-13 * (1.0 + x.squaredNorm()));
    }
  }
}

TYPED_TEST(Jordan, D_TraceAndDeterminant) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->any();
    const jordan::Spectrum<N> s = jordan::spectrum<N>(x);
    EXPECT_NEAR(jordan::trace<N>(x), s.low + s.high, 1e-14);
    EXPECT_NEAR(jordan::trace<N>(x), jordan::kSqrt2 * x[0], 1e-14);
    EXPECT_NEAR(jordan::det<N>(x), s.low * s.high, 1e-13);
    EXPECT_NEAR(jordan::det<N>(x), 0.5 * x.dot(this->reflection() * x), 1e-13);
    EXPECT_NEAR(s.trace(), jordan::trace<N>(x), 1e-14);
    EXPECT_NEAR(s.det(), jordan::det<N>(x), 1e-13);
  }
}

TYPED_TEST(Jordan, E_Inverse) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    expect_near(jordan::product<N>(jordan::inverse<N>(x), x), jordan::unit<N>());
    expect_near(jordan::reflect<N>(x), Vector(this->reflection() * x));
    expect_near(jordan::inverse<N>(Vector(-x)), Vector(-jordan::inverse<N>(x)));
  }
}

TYPED_TEST(Jordan, F_FunctionsOfAPoint) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    expect_near(jordan::power<N>(x, 2), jordan::product<N>(x, x));
    expect_near(jordan::power<N>(x, -1), jordan::inverse<N>(x));
    const Vector root = jordan::power<N>(x, 0.5);
    expect_near(jordan::product<N>(root, root), x);
    expect_near(jordan::power<N>(x, 0), jordan::unit<N>());
    expect_near(jordan::apply<N>([](double a) { return std::log(std::exp(a)); },
                                 Vector(this->any() * 0 + x)),
                x);
  }
}

TYPED_TEST(Jordan, G_ArrowMatrix) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->any();
    const Vector y = this->any();
    expect_near(Vector(jordan::arrow<N>(x) * y), jordan::product<N>(x, y));
    const jordan::Spectrum<N> s = jordan::spectrum<N>(x);
    std::vector<double> expected;
    if (N > 1) expected.push_back(s.high);
    expected.push_back(s.low);
    // the paper prints sqrt2 x_n for the others; the matrix it gives has x_n / sqrt2
    for (int k = 2; k < N; ++k) expected.push_back(x[0] / jordan::kSqrt2);
    std::sort(expected.begin(), expected.end());
    const Eigen::VectorXd found = test::eigenvalues(jordan::arrow<N>(x));
    for (int k = 0; k < N; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
    const Vector inside = this->interior();
    expect_near(jordan::divide<N>(jordan::product<N>(inside, y), inside), y, 1e-10);
  }
}

TYPED_TEST(Jordan, H_QuadraticRepresentation) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    const Vector y = this->interior();
    const Matrix p = jordan::quadratic<N>(x);
    const Matrix l = jordan::arrow<N>(x);
    expect_near(p, Matrix(2 * l * l - jordan::arrow<N>(jordan::product<N>(x, x))));
    expect_near(Matrix(p * l), Matrix(l * p));
    expect_near(Vector(p * jordan::unit<N>()), jordan::product<N>(x, x));
    for (const double a : {-1.0, -0.5, 0.5, 2.0}) {
      const Matrix power = jordan::quadratic<N>(jordan::power<N>(x, a));
      expect_near(power, test::power(p, a), 1e-9);
      expect_near(Vector(power * y), jordan::spectrum<N>(x).quadratic_power(a, y), 1e-9);
    }
    const Vector py = p * y;
    expect_near(Vector(jordan::quadratic<N>(jordan::inverse<N>(x)) * jordan::inverse<N>(y)),
                jordan::inverse<N>(py), 1e-9);
    expect_near(jordan::quadratic<N>(py), Matrix(p * jordan::quadratic<N>(y) * p), 1e-9);
    EXPECT_TRUE(jordan::is_interior<N>(py));
  }
}

TYPED_TEST(Jordan, H_EigenvaluesOfTheQuadraticRepresentation) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->any();
    const jordan::Spectrum<N> s = jordan::spectrum<N>(x);
    std::vector<double> expected{s.low * s.low};
    if (N > 1) expected.push_back(s.high * s.high);
    for (int k = 2; k < N; ++k) expected.push_back(s.det());
    std::sort(expected.begin(), expected.end());
    const Eigen::VectorXd found = test::eigenvalues(jordan::quadratic<N>(x));
    for (int k = 0; k < N; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
    expect_near(s.transform_matrix(s.low * s.low, s.high * s.high, s.det()),
                jordan::quadratic<N>(x));
  }
}

TYPED_TEST(Jordan, I_SpectralValuesOfAScaledPoint) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    const Vector y = this->any();
    const Vector v = jordan::spectrum<N>(x).quadratic_power(0.5, y);
    EXPECT_NEAR(jordan::det<N>(v), jordan::det<N>(x) * jordan::det<N>(y), 1e-11);
    EXPECT_NEAR(jordan::trace<N>(v), x.dot(y), 1e-12);
    const double half = 0.5 * x.dot(y);
    const double root =
        std::sqrt(std::max(0.0, half * half - jordan::det<N>(x) * jordan::det<N>(y)));
    EXPECT_NEAR(jordan::spectrum<N>(v).low, half - root, 1e-6);
    EXPECT_NEAR(jordan::spectrum<N>(v).high, half + root, 1e-6);
  }
}

TYPED_TEST(Jordan, J_ScalingPointAndLemma3) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    const Vector y = this->interior();
    const Vector w = jordan::scaling_point<N>(x, y);
    EXPECT_TRUE(jordan::is_interior<N>(w));
    const jordan::Spectrum<N> s = jordan::scaling_spectrum<N>(x, y);
    expect_near(s.quadratic_power(0.5, x), s.quadratic_power(-0.5, y), 1e-10);
    expect_near(Vector(jordan::quadratic<N>(w) * x), y, 1e-10);
    EXPECT_NEAR(jordan::det<N>(w), std::sqrt(jordan::det<N>(y) / jordan::det<N>(x)), 1e-9);
    // the definition, w = P(x^-1/2) (P(x^1/2) y)^1/2
    const jordan::Spectrum<N> sx = jordan::spectrum<N>(x);
    const Vector root = jordan::power<N>(sx.quadratic_power(0.5, y), 0.5);
    expect_near(w, sx.quadratic_power(-0.5, root), 1e-9);
  }
}

TYPED_TEST(Jordan, J_ScalingPointNearTheBoundary) {
  SCREE_JORDAN_NAMES;
  for (const double depth : {1e-4, 1e-8, 1e-11}) {
    for (int t = 0; t < this->kTrials; ++t) {
      const Vector x = this->interior(depth);
      const Vector y = t % 2 == 0 ? this->interior() : this->interior(depth);
      const jordan::Spectrum<N> s = jordan::scaling_spectrum<N>(x, y);
      ASSERT_GT(s.low, 0.0);
      const Vector from_x = s.quadratic_power(0.5, x);
      const Vector from_y = s.quadratic_power(-0.5, y);
      // the digits of x_n - |x_t| that x itself can hold
      EXPECT_LE((from_x - from_y).norm(), 1e-14 / depth * (1 + from_y.norm())) << depth;
    }
  }
}

TYPED_TEST(Jordan, K_DirectProductIsComponentwise) {
  SCREE_JORDAN_NAMES;
  // of two cones: trace and inner product add, the unit and the cone are those of each part
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x[2] = {this->interior(), this->interior()};
    const Vector y[2] = {this->interior(), this->interior()};
    double traces = 0;
    double inner = 0;
    for (int i = 0; i < 2; ++i) {
      traces += jordan::trace<N>(jordan::product<N>(x[i], y[i]));
      inner += x[i].dot(y[i]);
    }
    EXPECT_NEAR(traces, inner, 1e-12);
    double steps[2];
    for (int i = 0; i < 2; ++i) steps[i] = jordan::max_step<N>(x[i], Vector(-y[i]));
    const double theta = std::min(steps[0], steps[1]);
    EXPECT_TRUE(jordan::is_interior<N>(Vector(x[0] - 0.999999 * theta * y[0])) &&
                jordan::is_interior<N>(Vector(x[1] - 0.999999 * theta * y[1])));
    EXPECT_FALSE(jordan::is_interior<N>(Vector(x[0] - 1.000001 * theta * y[0])) &&
                 jordan::is_interior<N>(Vector(x[1] - 1.000001 * theta * y[1])));
  }
}

TYPED_TEST(Jordan, Lemma1) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    const Vector y = t % 2 == 0 ? this->interior() : Vector(-this->interior());
    const double left = 2 * std::sqrt(jordan::det<N>(x) * jordan::det<N>(y));
    EXPECT_LE(left, std::abs(x.dot(y)) * (1 + 1e-12));
    const double alpha = this->uniform(0.1, 3);
    const Vector on_path = alpha * jordan::inverse<N>(x);
    EXPECT_NEAR(2 * std::sqrt(jordan::det<N>(x) * jordan::det<N>(on_path)), x.dot(on_path), 1e-9);
    expect_near(jordan::product<N>(x, on_path), Vector(alpha * jordan::unit<N>()));
  }
}

/// The closed form of Lemma 2 as printed.
template <int N>
double step_as_printed(const jordan::Vector<N>& x, const jordan::Vector<N>& dx) {
  const double half = 0.5 * dx.dot(jordan::reflect<N>(x));
  const double root =
      std::sqrt(std::max(0.0, half * half - jordan::det<N>(dx) * jordan::det<N>(x)));
  return jordan::det<N>(x) / (root - half);
}

TYPED_TEST(Jordan, Lemma2) {
  SCREE_JORDAN_NAMES;
  for (int t = 0; t < this->kTrials; ++t) {
    const Vector x = this->interior();
    const Vector dx = this->any();
    const double theta = jordan::max_step<N>(x, dx);
    if (this->in_cone(dx, 0.0)) {
      EXPECT_TRUE(std::isinf(theta));
      continue;
    }
    // on a line the root is of zero: what rounding leaves of it is the root of the precision
    EXPECT_NEAR(theta, step_as_printed<N>(x, dx), (N == 1 ? 1e-6 : 1e-9) * theta);
    EXPECT_TRUE(jordan::is_interior<N>(Vector(x + (1 - 1e-9) * theta * dx)));
    EXPECT_FALSE(jordan::is_interior<N>(Vector(x + (1 + 1e-9) * theta * dx)));
  }
  EXPECT_TRUE(std::isinf(jordan::max_step<N>(jordan::unit<N>(), Vector(Vector::Zero()))));
}

TYPED_TEST(Jordan, Lemma2NearTheBoundary) {
  SCREE_JORDAN_NAMES;
  for (const double depth : {1e-6, 1e-10, 1e-13}) {
    for (int t = 0; t < this->kTrials; ++t) {
      const Vector x = this->interior(depth);
      // towards the boundary, so that the step is of the order of the depth
      const Vector dx = -jordan::unit<N>() + 0.1 * this->any();
      const double theta = jordan::max_step<N>(x, dx);
      const double share = N == 1 ? 1e-12 : std::max(1e-9, 1e-15 / depth);
      ASSERT_TRUE(std::isfinite(theta));
      // from the definition in long double: the smallest positive root of x_n^2 = |x_t|^2
      long double a = 0;
      long double b = 0;
      long double c = 0;
      for (int k = 0; k < N; ++k) {
        const long double sign = k == 0 ? 1 : -1;
        a += sign * dx[k] * static_cast<long double>(dx[k]);
        b += sign * dx[k] * static_cast<long double>(x[k]);
        c += sign * x[k] * static_cast<long double>(x[k]);
      }
      // b < 0: c / (sqrt(b^2 - a c) - b)
      const long double exact =
          N == 1 ? -x[0] / static_cast<long double>(dx[0]) : c / (std::sqrt(b * b - a * c) - b);
      EXPECT_NEAR(theta, static_cast<double>(exact), share * theta) << depth;
    }
  }
}

/// Lemma 4: on the central path, x o y = alpha e, the eigenvalues of W = P(w^1/2), which are w's
/// spectral values and the root of their product, go with the root of alpha: those of y over it,
/// and it over those of x.
TYPED_TEST(Jordan, Lemma4) {
  SCREE_JORDAN_NAMES;
  for (const double alpha : {1.0, 1e-4, 1e-8, 1e-14}) {
    const double root = std::sqrt(alpha);
    for (int t = 0; t < this->kTrials; ++t) {
      const Vector y = this->interior(0.1);
      const Vector x = alpha * jordan::inverse<N>(y);
      const auto w = jordan::scaling_spectrum<N>(x, y);
      const auto of_x = jordan::spectrum<N>(x);
      const auto of_y = jordan::spectrum<N>(y);
      // spectral values near the cone's edge, a tenth of the point, lose a digit
      constexpr double kJordanRounding = 1e-13;
      EXPECT_NEAR(w.low, of_y.low / root, kJordanRounding * of_y.high / root);
      EXPECT_NEAR(w.high, of_y.high / root, kJordanRounding * of_y.high / root);
      EXPECT_NEAR(w.low, root / of_x.high, kJordanRounding * root / of_x.low);
      EXPECT_NEAR(w.high, root / of_x.low, kJordanRounding * root / of_x.low);
      EXPECT_NEAR(std::sqrt(w.det()), std::sqrt(of_y.det() / alpha), kJordanRounding * w.high);
    }
  }
}

}  // namespace
}  // namespace scree
