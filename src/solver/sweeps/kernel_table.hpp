#pragma once

/// The kernels of one machine, from a file that is compiled for it.

#include "kernels.hpp"

namespace scree {

template <class T>
SweepKernels<T> plain_kernels();
template <class T>
SweepKernels<T> avx2_kernels();
template <class T>
SweepKernels<T> avx512_kernels();

}  // namespace scree
