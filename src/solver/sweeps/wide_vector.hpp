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

/// Makes room for @p n values, which loses the present ones where there is too little: they are
/// not to be there together with the new ones. With some to spare, since problems grow slowly.
template <class T>
void make_room(WideVector<T>& values, std::size_t n) {
  if (values.capacity() >= n) return;
  values = WideVector<T>();
  values.reserve(n + n / 64);
}

}  // namespace scree
