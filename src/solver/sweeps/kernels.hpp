#pragma once

/// One sweep over contacts in batches of `width`, no two of a batch with a body in common: several
/// contacts at once in the lanes of a vector. The same template for every width and machine; that
/// of width 1 is plain code, and the oracle of the others.
///
/// Storage. Numbers of a batch stand one after another, each for all lanes:
///
///     contacts[(batch * numbers + k) * width + lane]       impulse[(batch * dim + c) * width + lane]
///
/// and a body has a row of 8 numbers: what the impulses do to it (6), then two of its own; by
/// points another row of its own numbers alone, which is read only. A lane without a contact, or a
/// contact without a second body, has spare rows, 2 * width behind all bodies.
///
/// | form (pair_rows.hpp) | own numbers of a body, m and I in the world frame                       |
/// | ---                  | ---                                                                     |
/// | spheres              | 1/m, 1/I                                                                |
/// | points               | 1/m_x, 1/m_y; 1/m_z and I^-1: xx, xy, xz, yy, yz, zz                    |
/// | rows                 | 1                                                                       |
///
/// Inertia. A sweep starts from y and gives x = G(y); the next one starts from x + momentum (x -
/// x_before). `impulse` is y before and after, `result` is x (of gradient steps otherwise:
/// gradient_kernel.hpp). The rows of the bodies are left at what x gives.
///
/// Refinement. With a `base` for each contact (SphereBase), `impulse` and `result` are changes over
/// it, and the bodies' rows what changes have done. A kernel works changes out from changes, so
/// that rounding is a share of these, and not of the impulses. Spheres with one disc at most have
/// such kernels, which take no relaxation.
///
/// Between ranks (sweep.hpp) a body that k_b ranks touch counts with 1/k_b of its mass: its own
/// numbers have the factor k_b, and a contact's numbers come from D = sum_b k_b B_b B_b^T + R.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel_cones.hpp"
#include "scree/base/gradient_pace.hpp"

namespace scree {

/// The law that a kernel applies at one contact.
enum class LocalLaw {
  coulomb,     ///< exact friction, solved exactly
  associated,  ///< the associated law; where D_ii is diagonal the projected step is its exact
               ///< solution
  projected,   ///< exact friction, one projected step with De Saxce's shift (pgs.hpp)
};

template <class T>
struct SweepArguments {
  std::size_t n_batches = 0;
  T* contacts = nullptr;
  const std::int32_t* bodies = nullptr;  ///< first bodies of a batch, then second ones
  T* impulse = nullptr;                  ///< y
  T* result = nullptr;                   ///< x
  T* base = nullptr;                     ///< what these are changes over; null: they are whole
  T* rows = nullptr;                     ///< 8 numbers a body
  const T* from = nullptr;               ///< the rows for y that a gradient step takes
  const T* masses = nullptr;             ///< 8 numbers of each body where the form is points
  T step = 1;                            ///< factor of the step before it is projected (psor)
  T relaxation = 1;                      ///< factor of the whole move, projected afterwards (nsgs)
  T momentum = 0;
  const T* sides = nullptr;  ///< (cos, sin) of the middles of half the sides of faceted discs
  std::int32_t n_sides = 0;  ///< their number: the other sides lie opposite
  T across = 1;              ///< a disc of size 1 reaches so far across a side,
  T along = 0;               ///< and so far along it
  /// Solves one contact of bodies that are no spheres: @p l for a block (nn, n1, n2, 11, 12, 22),
  /// mu and q of circular_contact.hpp. @returns alpha.
  double (*exact)(const double* block, double mu, const double* q, double* l) = nullptr;
};

/// Numbers of a contact of spheres. n points to the first body; a sphere's arm a (m) is that of the
/// contact point along n, positive against it, so that
///
///     u = v_a - v_b + n x (a_a w_a + a_b w_b) + r + R lambda       in the world frame, for all three rows at once
///     D_ii = d_n n n^T + d_t (1 - n n^T)
struct SphereContact {
  static constexpr std::size_t kNormal = 0;    ///< 3
  static constexpr std::size_t kArm = 3;       ///< 2
  static constexpr std::size_t kVelocity = 5;  ///< r, 3
  static constexpr std::size_t kInverse = 8;   ///< 1/d_n, 1/d_t
  static constexpr std::size_t kFriction = 10;
  static constexpr std::size_t kCompliance = 11;  ///< R_n, R_t
  static constexpr std::size_t kWeight = 13;      ///< trace(D_ii) / 3
  static constexpr std::size_t kPull = 14;        ///< mu d_t / d_n, but by exact friction
  static constexpr std::size_t numbers(LocalLaw law) { return law == LocalLaw::coulomb ? 14 : 15; }
  static constexpr std::size_t kMostNumbers = 15;
};

/// The base of a contact of spheres, over which its changes are: the impulse
///
///     b = b_n n + b_t t,     t along its tangential part, q = n x t
///
/// in the numbers that are stored, and by how much it is inside its cone, room = mu b_n - b_t,
/// which is computed in double: in single precision that of an impulse that slides would be
/// rounding. At kVelocity a contact then has (r + J w + R b) along n, t and q, with what the
/// bodies' rows are changes over for w. By the associated law the first is that of n + mu t, along
/// which what slides has no velocity: the others may be large, and rounding of them is not to stir
/// the normal.
struct SphereBase {
  static constexpr std::size_t kTangent = 0;  ///< t, 3
  static constexpr std::size_t kNormal = 3;   ///< b_n
  static constexpr std::size_t kSize = 4;     ///< b_t
  static constexpr std::size_t kRoom = 5;
  static constexpr std::size_t kNumbers = 6;
};

/// Numbers that a contact of other bodies has behind its rows, in its frame. Rows that it lacks are
/// zero. By exact friction D = (1 + C) P (1 + C)^T, C below the diagonal, which gives S = D_tt -
/// D_tn D_nt / D_nn and solutions with S without differences of numbers that are nearly alike.
struct LocalContact {
  static constexpr std::size_t kVelocity = 0;    ///< r, 3
  static constexpr std::size_t kCompliance = 3;  ///< R, 3
  static constexpr std::size_t kFriction = 6;
  static constexpr std::size_t kPivots = 7;    ///< P: D_nn or 0, then positive: 3
  static constexpr std::size_t kFactors = 10;  ///< C: 1n, 2n, 21
  static constexpr std::size_t kShift =
      13;  ///< alpha of circular_contact.hpp, kept from sweep to sweep
  // Numbers of projected steps, in the places of those of exact steps:
  static constexpr std::size_t kInverse = 7;  ///< 1/s_n^2, 1/s_t^2 of pgs.hpp: 2
  static constexpr std::size_t kPull = 9;     ///< mu s_t^2 / s_n^2
  static constexpr std::size_t kWeight = 10;  ///< trace(D_ii) / 3
  static constexpr std::size_t kNumbers = 14;
};

/// A contact of two rigid bodies at a point: rows f_k of its frame and arms from the bodies'
/// centres. What is per body stands in the rows of the bodies, so that
///
///     u_k = f_k . (v_a + w_a x r_a - v_b - w_b x r_b) + r_k + R_k lambda_k
struct PointContact {
  static constexpr std::size_t kFrame = 0;  ///< f, 3 x 3
  static constexpr std::size_t kArms = 9;   ///< r_a, r_b, m: 2 x 3
  static constexpr std::size_t kLocal = 15;
  static constexpr std::size_t kNumbers = kLocal + LocalContact::kNumbers;
};

/// A contact of any two bodies.
struct RowContact {
  static constexpr std::size_t kRows = 0;  ///< B_a, B_b: 2 x 3 x 6
  static constexpr std::size_t kLocal = 36;
  static constexpr std::size_t kNumbers = kLocal + LocalContact::kNumbers;
};

/// @returns sum of weight |x - y|^2 over the contacts.
template <class T>
using SweepFunction = double (*)(const SweepArguments<T>&);

/// A step of gradient_kernel.hpp.
/// @returns its sums over the contacts; of the curvature the part of R alone: the bodies' is theirs
template <class T>
using GradientFunction = GradientSums (*)(const SweepArguments<T>&);

template <class T>
struct SweepKernels {
  const char* name;  ///< the instruction set, as avx2
  int width;
  /// Sweeps by the place in KernelCones, PairForm and LocalLaw; null where there is none. Where
  /// bodies are not spheres the associated law has projected steps, which are exact only where D_ii
  /// is diagonal.
  std::array<std::array<std::array<SweepFunction<T>, 3>, 3>, kKernelCones> sweep;
  /// Of spheres with one disc at most, by the associated law.
  GradientFunction<T> gradient_step;
};

/// Those of the instructions in use (base/instructions.hpp) first, then those of fewer; plain last.
template <class T>
const std::vector<SweepKernels<T>>& sweep_kernels();

}  // namespace scree
