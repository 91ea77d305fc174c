#include "kernels.hpp"

#include "kernel_table.hpp"

namespace scree {

template <class T>
const std::vector<SweepKernels<T>>& sweep_kernels() {
  static const std::vector<SweepKernels<T>> known = [] {
    std::vector<SweepKernels<T>> kernels;
#if defined(__x86_64__) && !defined(__clang__)  // which knows no pragma for the target of functions
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
      kernels.push_back(avx512_kernels<T>());
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      kernels.push_back(avx2_kernels<T>());
    }
#endif
    kernels.push_back(plain_kernels<T>());
    return kernels;
  }();
  return known;
}

template const std::vector<SweepKernels<double>>& sweep_kernels();
template const std::vector<SweepKernels<float>>& sweep_kernels();

}  // namespace scree
