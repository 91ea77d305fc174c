#include "scree/problem/cones.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "scree/problem/cones/one_contact.hpp"

namespace scree {
namespace {

using cones::Rows;
using cones::Square;

/// Numbers that are the same with every standard library.
struct Random {
  explicit Random(unsigned seed) : generator(seed) {}
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
    std::vector<double> parameters(static_cast<std::size_t>(Cone::kParameters));
    for (double& mu : parameters) mu = std::max(0.0, 0.4 + 0.6 * uniform());  // now and then 0
    return Cone::from(parameters.data());
  }

  std::mt19937 generator;
};

template <class Cone>
class EveryCone : public ::testing::Test {};
using Types = ::testing::Types<cones::HalfLine, cones::Planar, cones::Circular, cones::Pyramid,
                               cones::Rolling, cones::Spinning, cones::Equation, cones::Joint>;
TYPED_TEST_SUITE(EveryCone, Types);

/// The natural map of one contact's problem at l.
template <class Cone>
Rows<Cone::kDim> natural_map(const Cone& cone, const Square<Cone::kDim>& a,
                             const Rows<Cone::kDim>& q, const Rows<Cone::kDim>& l, bool exact) {
  const double rho = 1.0 / a.trace();
  Rows<Cone::kDim> u = a * l + q;
  if (exact) u[0] += cone.shift(u);
  return l - cone.project(Rows<Cone::kDim>(l - rho * u));
}

/// Repeated, the solution of one contact ends at one whose natural map vanishes, by either law. The blocks'
/// condition is below 5 (their eigenvalues lie between dim and 5 dim or so), so that a projected step leaves at
/// most 4/5 of the error, and four in each of sixty rounds less than 1e-20.
TYPED_TEST(EveryCone, OneContactIsSolved) {
  using Cone = TypeParam;
  Random random(7);
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

TEST(Cones, AreKeptInBatchesOfOneTypeAndLaw) {
  Cones all;
  all.append(cones::HalfLine{});
  all.append(cones::Circular{{0.3}});
  all.append(cones::Circular{{0.4}});
  all.append(cones::Circular{{0.5}}, false);
  all.append(cones::Rolling{{0.5, 0.1}});
  ASSERT_EQ(all.batches.size(), 4U);
  EXPECT_EQ(all.batches[1].count, 2);
  EXPECT_FALSE(all.batches[2].exact);
  EXPECT_EQ(all.rows(), 1U + 3U + 3U + 3U + 5U);
  EXPECT_EQ(friction_coefficients(all), (std::vector<double>{0.0, 0.3, 0.4, 0.5, 0.5}));
  std::size_t next_row = 0;
  std::size_t next = 0;
  for_each_cone(all, [&]<class Cone>(const Cone&, const ConePlace& at) {
    EXPECT_EQ(at.number, next++);
    EXPECT_EQ(at.row, next_row);
    EXPECT_EQ(all.dim(at.number), Cone::kDim);
    next_row += Cone::kDim;
  });
  EXPECT_EQ(next, all.count());
}

TEST(Cones, TellTheLawThatTheyWereAskedFor) {
  for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb, FrictionLaw::box}) {
    Cones all;
    all.append(1, 0.0, law);
    all.append(3, 0.5, law);
    EXPECT_EQ(law_of(all), law);
    for (const FrictionLaw other : {FrictionLaw::coulomb, FrictionLaw::associated}) {
      EXPECT_EQ(law_of(with_law(all, other)), other);
    }
  }
}

}  // namespace
}  // namespace scree
