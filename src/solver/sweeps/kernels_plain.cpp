/// The kernels for any machine, one contact at a time: also the oracle of the others.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.hpp"

#include "general_kernel.hpp"
#include "kernel_table.hpp"

namespace scree {

template <>
SweepKernels<double> plain_kernels<double>() {
  return kernels_of<double, 1>("plain");
}
template <>
SweepKernels<float> plain_kernels<float>() {
  return kernels_of<float, 1>("plain");
}

}  // namespace scree
