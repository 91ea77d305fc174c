#include "kernels.hpp"

#include "kernel_table.hpp"
#include "scree/base/instructions.hpp"

namespace scree {

template <class T>
const std::vector<SweepKernels<T>>& sweep_kernels() {
  static const std::vector<SweepKernels<T>> known = [] {
    std::vector<SweepKernels<T>> kernels;
#ifdef SCREE_VARIANTS
    if (instructions() >= Instructions::avx512) kernels.push_back(avx512_kernels<T>());
    if (instructions() >= Instructions::avx2) kernels.push_back(avx2_kernels<T>());
#endif
    kernels.push_back(plain_kernels<T>());
    return kernels;
  }();
  return known;
}

template const std::vector<SweepKernels<double>>& sweep_kernels();
template const std::vector<SweepKernels<float>>& sweep_kernels();

}  // namespace scree
