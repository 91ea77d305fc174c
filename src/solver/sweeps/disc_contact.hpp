#pragma once

/// Numbers of contacts that the kernels hold where cones are not those of a single disc
/// (kernels.hpp): rolling and spinning, friction of each tangent by itself, and faceted discs.
///
/// | symbol | meaning                                                              |
/// | ---    | ---                                                                  |
/// | d_j    | of a disc j of rows: the largest eigenvalue of its part of D_ii      |
/// | S_i    | the scales of pgs.hpp                                                |
/// | e_j    | mu_j s_j^2 / s_n^2                                                   |

#include "kernel_cones.hpp"
#include "kernels.hpp"

namespace scree {

/// A contact of spheres with moments. With n x m for a moment's impulse m in the tangent plane, all
/// over the length l, D_ii is d_n, d_s and one block of 2 x 2 numbers, whatever the tangents:
///
///     D (l_t, n x m_t) = (d_t l_t + c n x m_t,  c l_t + d_r n x m_t),     c = l (k_a a_a / I_a - k_b a_b / I_b)
struct RollingSphereContact : SphereContact {
  static constexpr std::size_t kSpin = 15;              ///< r of the moments, 3
  static constexpr std::size_t kLength = 18;            ///< l, m
  static constexpr std::size_t kRolling = 19;           ///< limits of the moments over l: 2
  static constexpr std::size_t kMomentInverse = 21;     ///< 1/d_r, 1/d_s; by projected steps 1/s^2
  static constexpr std::size_t kMomentCompliance = 23;  ///< R_r, R_s
  static constexpr std::size_t kCoupling = 25;          ///< c, and 1 / (1 - c^2 / (d_t d_r))
  static constexpr std::size_t kMomentPull = 25;        ///< by projected steps instead: e_r, e_s
  static constexpr std::size_t kNumbers = 27;
  static constexpr std::size_t numbers(LocalLaw /*law*/) { return kNumbers; }
};

/// Numbers that a contact of other bodies has behind its frame and arms.
template <class Cone>
struct DiscContact {
  static constexpr std::size_t kDim = Cone::kDim;
  static constexpr std::size_t kDiscs = Cone::kDiscs;
  static constexpr std::size_t kVelocity = 0;                  ///< r
  static constexpr std::size_t kCompliance = kDim;             ///< R
  static constexpr std::size_t kLimits = 2 * kDim;             ///< mu_j
  static constexpr std::size_t kInverse = kLimits + kDiscs;    ///< 1/d_n, 1/d_j; or 1/s^2
  static constexpr std::size_t kPull = kInverse + 1 + kDiscs;  ///< e_j
  static constexpr std::size_t kWeight = kPull + kDiscs;       ///< trace(D_ii) / dim
  static constexpr std::size_t kBlock = kWeight + 1;           ///< D_ii, its rows to the diagonal
  static constexpr std::size_t kNumbers = kBlock + kDim * (kDim + 1) / 2;
};

template <class Cone>
struct DiscPointContact {
  static constexpr std::size_t kFrame = PointContact::kFrame;
  static constexpr std::size_t kArms = PointContact::kArms;
  static constexpr std::size_t kLength = PointContact::kLocal;  ///< l where there are moments
  static constexpr std::size_t kLocal = kLength + (kHasMoments<Cone> ? 1 : 0);
  static constexpr std::size_t kNumbers = kLocal + DiscContact<Cone>::kNumbers;
};

/// The numbers that the kernels of a cone read.
template <class Cone>
struct ContactOf {
  using Sphere = RollingSphereContact;
  using Point = DiscPointContact<Cone>;
  using Local = DiscContact<Cone>;
};
template <>
struct ContactOf<cones::Circular> {
  using Sphere = SphereContact;
  using Point = PointContact;
  using Local = LocalContact;
};

}  // namespace scree
