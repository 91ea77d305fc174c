#pragma once

/// Numbers of several contacts side by side: GCC's vectors, and the number itself where there is
/// one lane.
///
/// For code that is compiled for each machine: everything is inlined, so that no code for a newer
/// processor can be linked into a function that all call.

#include <cmath>
#include <cstddef>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "scree/base/instructions.hpp"

namespace scree::lanes {

template <class T, int kWidth>
struct Pack {
  using Type [[gnu::vector_size(sizeof(T) * kWidth)]] = T;
};
template <class T>
struct Pack<T, 1> {
  using Type = T;
};
template <class T, int kWidth>
using Lanes = typename Pack<T, kWidth>::Type;

template <class X, class T>
SCREE_INLINE X load(const T* from) {
  X x;
  __builtin_memcpy(&x, from, sizeof(X));
  return x;
}
template <class X, class T>
SCREE_INLINE void store(const X& x, T* to) {
  __builtin_memcpy(to, &x, sizeof(X));
}

template <class X>
SCREE_INLINE X larger(const X& a, const X& b) {
  return a > b ? a : b;
}
template <class X>
SCREE_INLINE X smaller(const X& a, const X& b) {
  return a < b ? a : b;
}

/// The root of every lane. GCC has no such operation of its own on vectors.
template <class T, int kWidth>
SCREE_INLINE Lanes<T, kWidth> root(const Lanes<T, kWidth>& x) {
  using X = Lanes<T, kWidth>;
#if defined(SCREE_AVX512)
  if constexpr (sizeof(X) == 64 && sizeof(T) == 8) return (X)_mm512_sqrt_pd((__m512d)x);
  if constexpr (sizeof(X) == 64 && sizeof(T) == 4) return (X)_mm512_sqrt_ps((__m512)x);
#endif
#if defined(SCREE_AVX2)
  if constexpr (sizeof(X) == 32 && sizeof(T) == 8) return (X)_mm256_sqrt_pd((__m256d)x);
  if constexpr (sizeof(X) == 32 && sizeof(T) == 4) return (X)_mm256_sqrt_ps((__m256)x);
#endif
  if constexpr (kWidth == 1) {
    return std::sqrt(x);
  } else {
    X y{};
    for (int i = 0; i < kWidth; ++i) y[i] = std::sqrt(x[i]);
    return y;
  }
}

/// Whether any lane of a comparison holds.
template <class T, int kWidth, class Mask>
SCREE_INLINE bool any(const Mask& mask) {
  if constexpr (kWidth == 1) {
    return mask;
  } else {
#if defined(SCREE_AVX512)
    if constexpr (sizeof(Mask) == 64 && sizeof(T) == 8)
      return _mm512_movepi64_mask((__m512i)mask) != 0;
    if constexpr (sizeof(Mask) == 64 && sizeof(T) == 4)
      return _mm512_movepi32_mask((__m512i)mask) != 0;
#endif
#if defined(SCREE_AVX2)
    if constexpr (sizeof(Mask) == 32) return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#endif
    bool found = false;
    for (int i = 0; i < kWidth; ++i) found = found || mask[i] != 0;
    return found;
  }
}

template <class T, int kWidth>
SCREE_INLINE double sum(const Lanes<T, kWidth>& x) {
  if constexpr (kWidth == 1) {
    return x;
  } else {
    double total = 0.0;
    for (int i = 0; i < kWidth; ++i) total += static_cast<double>(x[i]);
    return total;
  }
}

/// Asks for numbers that will be needed.
template <class T>
SCREE_INLINE void fetch(const T* from, std::size_t n_numbers) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  for (std::size_t k = 0; k < n_numbers; k += kLine) __builtin_prefetch(from + k);
}

/// Numbers of a body in the rows that kernels load.
inline constexpr std::size_t kRow = 8;

SCREE_INLINE std::size_t row_of(std::int32_t body) {
  return kRow * static_cast<std::size_t>(body);
}

using Quad = Lanes<double, 4>;

/// Four rows of numbers become four columns, where possible within lanes of 128 bits, which AVX2
/// crosses at three times the cost.
SCREE_INLINE void transpose(Quad* x) {
  const Quad a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
  const Quad b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const Quad c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
  const Quad d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Lane by lane the rows of the bodies @p id become kRow packs, and the other way: for one lane
/// plain copies, for others transposes in registers.
template <class T, int kWidth>
struct BodyPacks {
  static_assert(kWidth == 1);
  SCREE_INLINE static void load(const T* rows, const std::int32_t* id, T* x) {
    for (std::size_t k = 0; k < kRow; ++k) x[k] = rows[row_of(*id) + k];
  }
  SCREE_INLINE static void store(T* rows, const std::int32_t* id, const T* x) {
    for (std::size_t k = 0; k < kRow; ++k) rows[row_of(*id) + k] = x[k];
  }
};

#if defined(SCREE_AVX512)

template <>
struct BodyPacks<double, 8> {
  using X = Lanes<double, 8>;
  /// Three rounds of zipping the upper half with the lower one transpose 8 x 8.
  SCREE_INLINE static void transpose(X* x) {
    for (int round = 0; round < 3; ++round) {
      X y[8];
      for (int i = 0; i < 4; ++i) {
        y[2 * i] = __builtin_shufflevector(x[i], x[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
        y[2 * i + 1] = __builtin_shufflevector(x[i], x[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
      }
      for (int i = 0; i < 8; ++i) x[i] = y[i];
    }
  }
  SCREE_INLINE static void load(const double* rows, const std::int32_t* id, X* x) {
    for (int i = 0; i < 8; ++i) x[i] = lanes::load<X>(rows + row_of(id[i]));
    transpose(x);
  }
  SCREE_INLINE static void store(double* rows, const std::int32_t* id, X* x) {
    transpose(x);
    for (int i = 0; i < 8; ++i) lanes::store(x[i], rows + row_of(id[i]));
  }
};

template <>
struct BodyPacks<float, 16> {
  using X = Lanes<float, 16>;
  using Half = Lanes<float, 8>;
  /// Transposes both halves alike, which hold the rows of 8 bodies each.
  SCREE_INLINE static void transpose(X* x) {
    for (int round = 0; round < 3; ++round) {
      X y[8];
      for (int i = 0; i < 4; ++i) {
        y[2 * i] = __builtin_shufflevector(x[i], x[i + 4], 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25,
                                           10, 26, 11, 27);
        y[2 * i + 1] = __builtin_shufflevector(x[i], x[i + 4], 4, 20, 5, 21, 6, 22, 7, 23, 12, 28,
                                               13, 29, 14, 30, 15, 31);
      }
      for (int i = 0; i < 8; ++i) x[i] = y[i];
    }
  }
  SCREE_INLINE static void load(const float* rows, const std::int32_t* id, X* x) {
    for (int i = 0; i < 8; ++i) {
      const Half low = lanes::load<Half>(rows + row_of(id[i]));
      const Half high = lanes::load<Half>(rows + row_of(id[i + 8]));
      x[i] =
          __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    transpose(x);
  }
  SCREE_INLINE static void store(float* rows, const std::int32_t* id, X* x) {
    transpose(x);
    for (int i = 0; i < 8; ++i) {
      lanes::store(__builtin_shufflevector(x[i], x[i], 0, 1, 2, 3, 4, 5, 6, 7),
                   rows + row_of(id[i]));
      lanes::store(__builtin_shufflevector(x[i], x[i], 8, 9, 10, 11, 12, 13, 14, 15),
                   rows + row_of(id[i + 8]));
    }
  }
};

#endif
#if defined(SCREE_AVX2)

template <>
struct BodyPacks<double, 4> {
  using X = Lanes<double, 4>;
  SCREE_INLINE static void load(const double* rows, const std::int32_t* id, X* x) {
    for (int half = 0; half < 8; half += 4) {
      for (int i = 0; i < 4; ++i) x[half + i] = lanes::load<X>(rows + row_of(id[i]) + half);
      transpose(x + half);
    }
  }
  SCREE_INLINE static void store(double* rows, const std::int32_t* id, X* x) {
    for (int half = 0; half < 8; half += 4) {
      transpose(x + half);
      for (int i = 0; i < 4; ++i) lanes::store(x[half + i], rows + row_of(id[i]) + half);
    }
  }
};

template <>
struct BodyPacks<float, 8> {
  using X = Lanes<float, 8>;
  SCREE_INLINE static void transpose(X* x) {
    X a[8];
    X b[8];
    for (int i = 0; i < 4; ++i) {
      a[2 * i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
      a[2 * i + 1] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
      b[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 1] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
      b[i + 2] = __builtin_shufflevector(a[i + 1], a[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 3] = __builtin_shufflevector(a[i + 1], a[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
      x[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
      x[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
  }
  SCREE_INLINE static void load(const float* rows, const std::int32_t* id, X* x) {
    for (int i = 0; i < 8; ++i) x[i] = lanes::load<X>(rows + row_of(id[i]));
    transpose(x);
  }
  SCREE_INLINE static void store(float* rows, const std::int32_t* id, X* x) {
    transpose(x);
    for (int i = 0; i < 8; ++i) lanes::store(x[i], rows + row_of(id[i]));
  }
};

#endif

}  // namespace scree::lanes
