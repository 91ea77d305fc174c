/// The program's large blocks, those of its libraries among them, are of the pool of pages
/// (base/page_pool.hpp): MUMPS, say, takes memory for its factors in each factorisation and gives
/// it back. These functions stand in place of the C library's, on which operator new and Fortran's
/// allocate rest; small blocks, and blocks that are to be clear, stay with that. They are of the
/// program alone: who links scree may have others.

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "scree/base/page_pool.hpp"

#if defined(__GLIBC__) && !defined(SCREE_SANITIZED)

// The C library's own, by the names that it keeps for programs that replace the others.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

using scree::kLargeBlock;
using scree::page_pool;
using scree::PagePool;

bool is_large(std::size_t bytes) {
  return bytes >= kLargeBlock;
}

bool is_countable(std::size_t count, std::size_t bytes) {
  return bytes == 0 || count <= std::numeric_limits<std::size_t>::max() / bytes;
}

/// A block that the C library gives by @p ask. Where that has no room, the pool gives back what no
/// block has, and it is asked once more.
template <class Ask>
void* of_library(std::size_t bytes, const Ask& ask) {
  void* const block = ask();
  if (block != nullptr || bytes == 0) return block;
  page_pool()->trim();
  return ask();
}

/// A block of the pool where it is large and the pool has room for it; else one by @p ask.
template <class Ask>
void* take(std::size_t bytes, const Ask& ask) {
  void* const block = is_large(bytes) ? page_pool()->take(bytes) : nullptr;
  return block != nullptr ? block : of_library(bytes, ask);
}

/// @p alignment: a power of two.
void* take_aligned(std::size_t alignment, std::size_t bytes) {
  const auto ask = [&] { return __libc_memalign(alignment, bytes); };
  return alignment <= PagePool::kPiece ? take(bytes, ask) : of_library(bytes, ask);
}

/// Most blocks are not, which is seen without a look at the pool.
bool may_be_of_pool(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block) % PagePool::kPiece == 0;
}

std::size_t usable_size_in_library(void* block) {
  using Function = std::size_t (*)(void*);
  static const auto ask = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return ask(block);
}

/// A child that is made while another thread has the pool would wait for that thread for ever.
[[maybe_unused]] const int kForks = pthread_atfork(
    [] { page_pool()->lock(); }, [] { page_pool()->unlock(); }, [] { page_pool()->unlock(); });

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept {
  return take(size, [size] { return __libc_malloc(size); });
}

void free(void* ptr) noexcept {
  if (may_be_of_pool(ptr) && ptr != nullptr && page_pool()->give_back(ptr)) return;
  __libc_free(ptr);
}

void* calloc(std::size_t nmemb, std::size_t size) noexcept {
  const std::size_t none_or_more =
      std::min(nmemb, size);  // their product may be too large to count
  return of_library(none_or_more, [&] { return __libc_calloc(nmemb, size); });
}

void* realloc(void* ptr, std::size_t size) noexcept {
  if (ptr == nullptr) return malloc(size);
  const std::size_t of_pool = may_be_of_pool(ptr) ? page_pool()->size_of(ptr) : 0;
  if (of_pool == 0 && !is_large(size)) {
    return of_library(size, [&] { return __libc_realloc(ptr, size); });
  }
  if (size <= of_pool && 2 * size > of_pool && is_large(size)) return ptr;
  void* const moved = size > 0 ? malloc(size) : nullptr;
  if (moved == nullptr && size > 0) return nullptr;
  const std::size_t before = of_pool > 0 ? of_pool : usable_size_in_library(ptr);
  if (moved != nullptr) std::memcpy(moved, ptr, std::min(before, size));
  free(ptr);
  return moved;
}

void* reallocarray(void* ptr, std::size_t nmemb, std::size_t size) noexcept {
  if (is_countable(nmemb, size)) return realloc(ptr, nmemb * size);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return take_aligned(alignment, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return take_aligned(alignment, size);
}

int posix_memalign(void** memptr, std::size_t alignment, std::size_t size) noexcept {
  const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* const taken = take_aligned(alignment, size);
  if (taken == nullptr) return ENOMEM;
  *memptr = taken;
  return 0;
}

std::size_t malloc_usable_size(void* ptr) noexcept {
  if (ptr == nullptr) return 0;
  const std::size_t of_pool = may_be_of_pool(ptr) ? page_pool()->size_of(ptr) : 0;
  return of_pool > 0 ? of_pool : usable_size_in_library(ptr);
}
}
#endif
