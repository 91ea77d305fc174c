/// The kernels for x86-64 with AVX2 and FMA.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.hpp"
#include "scree/base/instructions.hpp"

#ifdef SCREE_VARIANTS
#include <immintrin.h>

// The code above is compiled for every machine, the code below for this one. The pragma comes too
// late for the compiler's own macros, which the lexer has by then read over.
#define SCREE_AVX2
#pragma GCC target("avx2,fma")

#include "general_kernel.hpp"
#include "kernel_table.hpp"

namespace scree {

template <>
SweepKernels<double> avx2_kernels<double>() {
  return kernels_of<double, 4>("AVX2");
}
template <>
SweepKernels<float> avx2_kernels<float>() {
  return kernels_of<float, 8>("AVX2");
}

}  // namespace scree

#endif
