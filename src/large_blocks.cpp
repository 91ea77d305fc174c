/// Large blocks of the whole program, its libraries' too, come from the pool of pages
/// (base/page_pool.hpp): MUMPS takes and gives back its factors in each of them. In place of the C
/// library's functions, on which its operators new and Fortran's allocate rest. The program's own,
/// and of no library: whoever links scree may have others.

#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
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

/// By the pool as long as it has room; else of the C library, for whose sake the pool gives back
/// what it has to spare.
template <class OfLibrary>
void* take(std::size_t bytes, const OfLibrary& of_library) {
  if (!is_large(bytes)) return of_library();
  if (void* const block = page_pool()->take(bytes)) return block;
  void* const block = of_library();
  if (block != nullptr) return block;
  page_pool()->trim();
  return of_library();
}

/// @p alignment: a power of two.
void* take_aligned(std::size_t alignment, std::size_t bytes) {
  const auto of_library = [&] { return __libc_memalign(alignment, bytes); };
  return alignment <= PagePool::kPiece ? take(bytes, of_library) : of_library();
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) noexcept {
  return take(bytes, [bytes] { return __libc_malloc(bytes); });
}

void free(void* block) noexcept {
  if (block != nullptr && !page_pool()->give_back(block)) __libc_free(block);
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  const auto of_library = [&] { return __libc_calloc(count, bytes); };
  // which refuses what cannot be counted
  if (!is_countable(count, bytes) || !is_large(count * bytes)) return of_library();
  void* const block = page_pool()->take(count * bytes);
  return block == nullptr ? of_library() : std::memset(block, 0, count * bytes);
}

void* realloc(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return malloc(bytes);
  const std::size_t before = page_pool()->size_of(block);
  if (before == 0) return __libc_realloc(block, bytes);
  void* const moved = bytes == 0 ? nullptr : malloc(bytes);
  if (moved == nullptr && bytes > 0) return nullptr;
  if (moved != nullptr) std::memcpy(moved, block, std::min(before, bytes));
  free(block);
  return moved;
}

void* reallocarray(void* block, std::size_t count, std::size_t bytes) noexcept {
  if (is_countable(count, bytes)) return realloc(block, count * bytes);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return take_aligned(alignment, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return take_aligned(alignment, bytes);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* const taken = take_aligned(alignment, bytes);
  if (taken == nullptr) return ENOMEM;
  *block = taken;
  return 0;
}

std::size_t malloc_usable_size(void* block) noexcept {
  using Function = std::size_t (*)(void*);
  static const auto of_library = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  const std::size_t of_pool = block == nullptr ? 0 : page_pool()->size_of(block);
  return of_pool > 0 ? of_pool : of_library(block);
}
}
#endif
