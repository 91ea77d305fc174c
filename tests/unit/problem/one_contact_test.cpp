#include "scree/problem/cones/one_contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace scree {
namespace {

using cones::Rows;
using cones::Square;

/// Numbers that are the same with every standard library.
struct RandomContact {
  explicit RandomContact(unsigned seed) : generator(seed) {}
  double uniform() { return static_cast<double>(generator()) / 2147483648.0 - 1.0; }
  template <int kDim>
  Rows<kDim> rows() {
    Rows<kDim> x;
    for (int k = 0; k < kDim; ++k) x[k] = uniform();
    return x;
  }
  template <int kDim>
  Square<kDim> positive() {
    Square<kDim> root;
    for (int k = 0; k < kDim * kDim; ++k) root.data()[k] = uniform();
    return root * root.transpose() + kDim * Square<kDim>::Identity();
  }
  template <class Cone>
  Cone cone() {
    std::vector<double> parameters(Cone::kParameters);
    for (double& mu : parameters) mu = std::max(0.0, 0.4 + 0.6 * uniform());  // now and then 0
    if constexpr (std::is_same_v<Cone, cones::Interval>) std::ranges::sort(parameters);
    return Cone::from(parameters.data());
  }

  std::mt19937 generator;
};

template <class Cone>
class OneContactOf : public ::testing::Test {};
using ConeTypes = ::testing::Types<cones::HalfLine, cones::Planar, cones::Circular, cones::Pyramid,
                                   cones::Rolling, cones::Spinning, cones::Equation, cones::Joint,
                                   cones::Joint6, cones::Interval>;
TYPED_TEST_SUITE(OneContactOf, ConeTypes);

/// The natural map of one contact's problem at l.
template <class Cone>
Rows<Cone::kDim> natural_map(const Cone& cone, const Square<Cone::kDim>& a,
                             const Rows<Cone::kDim>& q, const Rows<Cone::kDim>& l, bool exact) {
  const double rho = 1.0 / a.trace();
  Rows<Cone::kDim> u = a * l + q;
  if (exact) u[0] += cone.shift(u);
  return l - cone.project(Rows<Cone::kDim>(l - rho * u));
}

/// Repeated, the solution of one contact ends at one whose natural map vanishes, by either law. The
/// blocks' condition is below 5 (their eigenvalues lie between dim and 5 dim or so), so that a
/// projected step leaves at most 4/5 of the error, and four in each of sixty rounds less than
/// 1e-20.
TYPED_TEST(OneContactOf, EveryConeIsSolved) {
  using Cone = TypeParam;
  RandomContact random(7);
  for (int trial = 0; trial < 200; ++trial) {
    for (const bool exact : {true, false}) {
      const Cone cone = random.cone<Cone>();
      const Square<Cone::kDim> a = random.positive<Cone::kDim>();
      const Rows<Cone::kDim> q = random.rows<Cone::kDim>();
      cones::OneContact<Cone> contact(cone, a, exact);
      Rows<Cone::kDim> l = Rows<Cone::kDim>::Zero();
      for (int round = 0; round < 60; ++round) l = contact.solve(q, l);
      const double error = natural_map(cone, a, q, l, exact).norm();
      EXPECT_LE(error, 1e-12 * std::max(l.norm(), q.norm() / a.trace()))
          << "trial " << trial << ", exact " << exact;
    }
  }
}

}  // namespace
}  // namespace scree
