#pragma once

/// Vectors for kernels.

#include <cstddef>
#include <new>
#include <vector>

namespace scree {

/// Memory that starts where the widest vectors begin, so that none crosses a cache line.
template <class T>
struct WideAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  WideAllocator() = default;
  template <class Other>
  WideAllocator(const WideAllocator<Other>& /*other*/) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* at, std::size_t /*n*/) { ::operator delete(at, kAlignment); }
  bool operator==(const WideAllocator& /*other*/) const { return true; }
};
template <class T>
using WideVector = std::vector<T, WideAllocator<T>>;

}  // namespace scree
