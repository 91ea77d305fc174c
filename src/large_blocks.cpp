/// The program's containers have their large blocks from the pool of pages (base/page_pool.hpp).
/// The program's own operators, and of no library: whoever links scree may have others.

#include <algorithm>
#include <cstddef>
#include <new>

#include "scree/base/page_pool.hpp"

#ifndef SCREE_SANITIZED
namespace {

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const block = scree::allocate(std::max<std::size_t>(bytes, 1), alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

// those for arrays and those without exceptions are made of these by the library

void* operator new(std::size_t bytes) {
  return allocate_or_throw(bytes, alignof(std::max_align_t));
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}

void operator delete(void* block) noexcept {
  scree::deallocate(block);
}

void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  scree::deallocate(block);
}

void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  scree::deallocate(block);
}

void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  scree::deallocate(block);
}
#endif
