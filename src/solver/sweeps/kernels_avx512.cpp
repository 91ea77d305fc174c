/// The kernels for x86-64 with AVX-512.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "scree/base/instructions.hpp"

#ifdef SCREE_VARIANTS
#include <immintrin.h>

// The code above is compiled for every machine, the code below for this one. The pragma comes too
// late for the compiler's own macros, which the lexer has by then read over. GCC 12 warns of its
// own header, whose roots start from an undefined register.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#define SCREE_AVX512
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512")

#include "general_kernel.hpp"
#include "kernel_table.hpp"

namespace scree {

template <>
SweepKernels<double> avx512_kernels<double>() {
  return kernels_of<double, 8>("AVX-512");
}
template <>
SweepKernels<float> avx512_kernels<float>() {
  return kernels_of<float, 16>("AVX-512");
}

}  // namespace scree

#endif
