#include "disc_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "pair_forms.hpp"
#include "projected_scales.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {
namespace {

/// Least share of d_n of a disc's d: where nothing moves it goes to its limit against its velocity.
constexpr double kLeastDisc = 1e-12;

/// D_ii of a contact of spheres with moments, by its parts (disc_contact.hpp).
struct RollingBlock {
  double normal = 0.0, tangent = 0.0, roll = 0.0, spin = 0.0, coupling = 0.0;

  /// c^2 / (d_t d_r)
  double overlap() const { return coupling == 0.0 ? 0.0 : coupling * coupling / (tangent * roll); }
};

RollingBlock rolling_block(const NumberedRows& of, std::size_t contact, bool spins) {
  const PairRows& rows = of.rows;
  const PairFrame frame = rows.frame(contact);
  const std::size_t row = rows.row(contact);
  const double length = rows.length_of(contact);
  const auto softness = [&](std::size_t k) {
    return of.impulse_unit * rows.compliance_of(row + k);
  };
  RollingBlock d{softness(0), softness(1), softness(3), spins ? softness(5) : 0.0};
  for_each_side(rows, contact, [&](std::int32_t side, std::size_t body) {
    const double unit = of.impulse_unit * of.sharers[body];
    const double arm = sphere_arm(frame, side, rows.n_rows(contact));
    const double linear = unit * rows.masses[body].linear[0];
    const double angular = unit * rows.masses[body].angular[0];
    d.normal += linear;
    d.tangent += linear + arm * arm * angular;
    d.roll += length * length * angular;
    if (spins) d.spin += length * length * angular;
    d.coupling += (side == 0 ? 1.0 : -1.0) * length * arm * angular;
  });
  for (double* disc : {&d.tangent, &d.roll, &d.spin}) {
    *disc = std::max(*disc, kLeastDisc * d.normal);
  }
  return d;
}

/// Steps and couplings by the law.
void put_rolling_steps(const RollingBlock& d, LocalLaw law, double* put) {
  using At = RollingSphereContact;
  constexpr double kMostOverlap = 1.0 - 1e-6;  // of rows that depend on each other
  const bool exact = law == LocalLaw::coulomb;
  const double bound = exact ? 1.0 : 1.0 + std::sqrt(d.overlap());  // of S^-1 D S^-1
  put[At::kInverse] = inverse_or_zero(bound * d.normal);
  put[At::kInverse + 1] = inverse_or_zero(bound * d.tangent);
  put[At::kMomentInverse] = inverse_or_zero(bound * d.roll);
  put[At::kMomentInverse + 1] = inverse_or_zero(bound * d.spin);
  const double* mu = put + At::kRolling;
  put[At::kPull] = put[At::kFriction] * d.tangent * inverse_or_zero(d.normal);
  if (exact) {
    put[At::kCoupling] = d.coupling;
    put[At::kCoupling + 1] = 1.0 / (1.0 - std::min(d.overlap(), kMostOverlap));
  } else {
    put[At::kMomentPull] = mu[0] * d.roll * inverse_or_zero(d.normal);
    put[At::kMomentPull + 1] = mu[1] * d.spin * inverse_or_zero(d.normal);
  }
}

/// D_ii in the kernels' unit.
template <int kDim>
cones::Square<kDim> block_at_point(const NumberedRows& of, std::size_t contact) {
  const PairRows& rows = of.rows;
  const PairFrame frame = rows.frame(contact);
  cones::Square<kDim> d = cones::Square<kDim>::Zero();
  for (int k = 0; k < kDim; ++k) d(k, k) = rows.compliance_of(rows.row(contact) + k);
  for_each_side(rows, contact, [&](std::int32_t side, std::size_t body) {
    const BodyBlock<kDim> block = block_of_frame<kDim>(
        frame.axes, frame.arm(side), side == 0 ? 1.0 : -1.0, rows.length_of(contact));
    for (int k = 0; k < kDim; ++k) {
      const std::array<double, 6> moved = rows.masses[body].times(&block(k, 0));
      d.col(k) += of.sharers[body] * (block * Eigen::Map<const Vec6>(moved.data()));
    }
  });
  return of.impulse_unit * d;
}

/// The largest eigenvalue of the rows of one disc, @p size of them from @p first on.
template <int kDim>
double disc_bound(const cones::Square<kDim>& d, int first, int size) {
  if (size == 1) return d(first, first);
  const double mean = 0.5 * (d(first, first) + d(first + 1, first + 1));
  return mean + std::hypot(0.5 * (d(first, first) - d(first + 1, first + 1)), d(first, first + 1));
}

/// The steps of the normal and of each disc of parts that are solved in turn.
template <class Cone>
void put_part_steps(const cones::Square<Cone::kDim>& d, double* steps) {
  *steps++ = inverse_or_zero(d(0, 0));
  int first = 1;
  for (const int size : Cone::kSize) {
    *steps++ =
        inverse_or_zero(std::max(disc_bound<Cone::kDim>(d, first, size), kLeastDisc * d(0, 0)));
    first += size;
  }
}

/// The steps of all parts at once, in the scales of pgs.hpp, and their pulls.
template <class Cone>
void put_scaled_steps(const cones::Square<Cone::kDim>& d, const Cone& cone, double* steps,
                      double* pulls) {
  const cones::Rows<Cone::kDim> bound = projected_scales(d, cone).scale.cwiseAbs2();
  *steps++ = inverse_or_zero(bound[0]);
  int first = 1;
  for (std::size_t j = 0; j < Cone::kSize.size(); ++j) {
    *steps++ = inverse_or_zero(bound[first]);
    *pulls++ = cone.mu[j] * bound[first] * inverse_or_zero(bound[0]);
    first += Cone::kSize[j];
  }
}

}  // namespace

template <class Cone>
RollingSphereNumbers rolling_sphere_numbers(const NumberedRows& of, std::size_t contact,
                                            const Cone& cone) {
  using At = RollingSphereContact;
  constexpr bool kSpins = Cone::kDim == cones::Spinning::kDim;
  const PairRows& rows = of.rows;
  const PairFrame frame = rows.frame(contact);
  const std::size_t row = rows.row(contact);
  RollingSphereNumbers put{};
  const auto softness = [&](std::size_t k) {
    return of.impulse_unit * rows.compliance_of(row + k);
  };
  for_each_side(rows, contact, [&](std::int32_t side, std::size_t) {
    put[At::kArm + side] = sphere_arm(frame, side, rows.n_rows(contact));
  });
  // in_world() weighs moments by a length, which the kernels keep beside them
  const Screw velocity =
      in_world<Cone::kDim>(frame.axes, rows.velocity.subspan(row, Cone::kDim), 1.0);
  Vec3::Map(&put[At::kNormal]) = frame.axes.normal;
  Vec3::Map(&put[At::kVelocity]) = velocity.linear;
  Vec3::Map(&put[At::kSpin]) = velocity.angular;
  put[At::kLength] = rows.length_of(contact);
  put[At::kFriction] = cone.mu[0];
  std::copy(cone.mu.begin() + 1, cone.mu.end(), &put[At::kRolling]);
  put[At::kCompliance] = softness(0);
  put[At::kCompliance + 1] = softness(1);
  put[At::kMomentCompliance] = softness(3);
  if (kSpins) put[At::kMomentCompliance + 1] = softness(5);
  const RollingBlock d = rolling_block(of, contact, kSpins);
  put[At::kWeight] = (d.normal + 2.0 * (d.tangent + d.roll) + d.spin) / Cone::kDim;
  put_rolling_steps(d, of.law, put.data());
  return put;
}

template <class Cone>
DiscPointNumbers<Cone> disc_point_numbers(const NumberedRows& of, std::size_t contact,
                                          const Cone& cone) {
  using Known = typename KernelConeOf<Cone>::Type;
  using At = DiscPointContact<Known>;
  using Local = DiscContact<Known>;
  constexpr bool kInTurn = std::is_same_v<Known, cones::Pyramid>;
  const PairRows& rows = of.rows;
  const PairFrame frame = rows.frame(contact);
  const std::size_t row = rows.row(contact);
  DiscPointNumbers<Cone> put{};
  for (int k = 0; k < kForceRows; ++k) {
    Vec3::Map(&put[At::kFrame + 3 * std::size_t(k)]) = axis_of(frame.axes, k);
  }
  for_each_side(rows, contact, [&](std::int32_t side, std::size_t) {
    Vec3::Map(&put[At::kArms + 3 * side]) = frame.arm(side);
  });
  if constexpr (kHasMoments<Known>) put[At::kLength] = rows.length_of(contact);
  double* local = &put[At::kLocal];
  for (std::size_t k = 0; k < Cone::kDim; ++k) {
    local[Local::kVelocity + k] = rows.velocity[row + k];
    local[Local::kCompliance + k] = of.impulse_unit * rows.compliance_of(row + k);
  }
  std::copy(cone.mu.begin(), cone.mu.end(), local + Local::kLimits);
  const cones::Square<Cone::kDim> d = block_at_point<Cone::kDim>(of, contact);
  double* block = local + Local::kBlock;
  for (int i = 0; i < Cone::kDim; ++i) {
    for (int j = 0; j <= i; ++j) *block++ = d(i, j);
  }
  local[Local::kWeight] = d.trace() / Cone::kDim;
  if (kInTurn || of.law == LocalLaw::coulomb) {
    put_part_steps<Cone>(d, local + Local::kInverse);
  } else {
    put_scaled_steps<Cone>(d, cone, local + Local::kInverse, local + Local::kPull);
  }
  return put;
}

template RollingSphereNumbers rolling_sphere_numbers(const NumberedRows&, std::size_t,
                                                     const cones::Rolling&);
template RollingSphereNumbers rolling_sphere_numbers(const NumberedRows&, std::size_t,
                                                     const cones::Spinning&);
template DiscPointNumbers<cones::Rolling> disc_point_numbers(const NumberedRows&, std::size_t,
                                                             const cones::Rolling&);
template DiscPointNumbers<cones::Spinning> disc_point_numbers(const NumberedRows&, std::size_t,
                                                              const cones::Spinning&);
template DiscPointNumbers<cones::Pyramid> disc_point_numbers(const NumberedRows&, std::size_t,
                                                             const cones::Pyramid&);
template DiscPointNumbers<cones::FacetedCircular> disc_point_numbers(const NumberedRows&,
                                                                     std::size_t,
                                                                     const cones::FacetedCircular&);
template DiscPointNumbers<cones::FacetedRolling> disc_point_numbers(const NumberedRows&,
                                                                    std::size_t,
                                                                    const cones::FacetedRolling&);
template DiscPointNumbers<cones::FacetedSpinning> disc_point_numbers(const NumberedRows&,
                                                                     std::size_t,
                                                                     const cones::FacetedSpinning&);

}  // namespace scree
