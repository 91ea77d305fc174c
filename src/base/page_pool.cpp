#include "scree/base/page_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCREE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SCREE_SANITIZED
#endif
#endif

namespace scree {
namespace {

constexpr std::size_t kPiece = PagePool::kPiece;
constexpr std::size_t kSmallPiece = PagePool::kSmallPiece;

std::size_t misalignment(const void* at) {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(at) % kPiece);
}

/// @p bytes in small pieces, one at least.
std::size_t rounded_up(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + kSmallPiece - 1) / kSmallPiece * kSmallPiece;
}

void unmap(std::byte* begin, std::size_t bytes) {
  if (bytes > 0) munmap(begin, bytes);
}

/// New pages, @p where they are to be by flags of mmap; null where there is no room.
std::byte* map_at(std::byte* where, std::size_t bytes, int flags) {
  void* const found =
      mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return found == MAP_FAILED ? nullptr : static_cast<std::byte*>(found);
}

/// Pages from a multiple of kPiece on, huge ones where the system has them; null where there is no
/// room.
std::byte* map(std::size_t bytes) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  if (bytes > kMost - kPiece) return nullptr;
  std::byte* const begin = map_at(nullptr, bytes + kPiece, 0);
  if (begin == nullptr) return nullptr;
  const std::size_t before = kPiece - misalignment(begin);
  unmap(begin, before);
  unmap(begin + before + bytes, kPiece - before);
  madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

/// Puts the pages of @p from in the place of those at @p to. @returns whether the system did: it
/// may have as many runs as it can hold, or others have made of one run several (by madvise, say).
/// There are new pages at @p to then, as before. @throws std::bad_alloc where there are none left.
bool move(std::byte* from, std::size_t bytes, std::byte* to) {
  if (mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED) return true;
  // those at the end are gone, or not, as the system found its reason late or early
  if (map_at(to, bytes, MAP_FIXED) == nullptr) throw std::bad_alloc();
  madvise(to, bytes, MADV_HUGEPAGE);
  return false;
}

}  // namespace

void* PagePool::OwnPages::do_allocate(std::size_t bytes, std::size_t /*alignment*/) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  return at;
}

void PagePool::OwnPages::do_deallocate(void* at, std::size_t bytes, std::size_t /*alignment*/) {
  munmap(at, bytes);
}

PagePool::~PagePool() {
  unmap_spare();
  for (const auto& [begin, block] : blocks_) {
    for (const Run& run : block) unmap(run.begin, run.bytes);
  }
}

void* PagePool::take(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) return nullptr;
  const std::scoped_lock lock(mutex_);
  const std::size_t own = rounded_up(bytes);
  const std::size_t whole = own / kPiece * kPiece;
  std::byte* begin = map(own);
  if (begin == nullptr) {
    unmap_spare();
    begin = map(own);
  }
  if (begin == nullptr) return nullptr;
  try {
    Runs& block = blocks_[begin];
    fill(begin, whole, spare_, block);
    fill(begin + whole, own - whole, small_spare_, block);
  } catch (const std::bad_alloc&) {
    blocks_.erase(begin);
    unmap(begin, own);
    return nullptr;
  }
  return begin;
}

/// Has the new pages at @p begin give way to spare ones @p from those of their kind, as far as
/// there are any.
void PagePool::fill(std::byte* begin, std::size_t bytes, Runs& from, Runs& block) {
  std::byte* at = begin;
  std::byte* const end = begin + bytes;
  while (at < end && !from.empty()) {
    Run& run = from.back();
    const std::size_t n = std::min(run.bytes, static_cast<std::size_t>(end - at));
    block.push_back({at, n});
    if (!move(run.begin + (run.bytes - n), n, at)) {
      block.pop_back();
      unmap_spare();
      break;
    }
    run.bytes -= n;
    if (run.bytes == 0) from.pop_back();
    at += n;
  }
  if (at < end) block.push_back({at, static_cast<std::size_t>(end - at)});
}

bool PagePool::give_back(void* block) {
  if (misalignment(block) != 0) return false;  // most are the C library's
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) return false;
  for (const Run& run : found->second) add_to_spare(run);
  blocks_.erase(found);
  return true;
}

void PagePool::add_to_spare(const Run& run) {
  Runs& runs = run.bytes % kPiece == 0 ? spare_ : small_spare_;
  try {
    runs.push_back(run);
  } catch (const std::bad_alloc&) {
    unmap(run.begin, run.bytes);
  }
}

std::size_t PagePool::size_of(const void* block) const {
  if (misalignment(block) != 0) return 0;
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) return 0;
  return bytes_of(found->second);
}

std::size_t PagePool::bytes_of(const Runs& runs) {
  std::size_t bytes = 0;
  for (const Run& run : runs) bytes += run.bytes;
  return bytes;
}

void PagePool::trim() {
  const std::scoped_lock lock(mutex_);
  unmap_spare();
}

void PagePool::unmap_spare() {
  for (Runs* const runs : {&spare_, &small_spare_}) {
    for (const Run& run : *runs) unmap(run.begin, run.bytes);
    runs->clear();
  }
}

std::size_t PagePool::spare() const {
  const std::scoped_lock lock(mutex_);
  return bytes_of(spare_) + bytes_of(small_spare_);
}

PagePool* page_pool() {
#ifdef SCREE_SANITIZED
  return nullptr;
#else
  // blocks are given back until the process has ended, later than any object of its end
  alignas(PagePool) static std::byte memory[sizeof(PagePool)];
  static PagePool* const pool = new (memory) PagePool;
  return pool;
#endif
}

void trim_page_pool() {
  if (PagePool* const pool = page_pool()) pool->trim();
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  PagePool* const pool = page_pool();
  const bool is_for_pool = bytes >= kLargeBlock && alignment <= kPiece;
  if (pool != nullptr && is_for_pool) return pool->take(bytes);
  const auto of_library = [&] {
    return alignment <= alignof(std::max_align_t)
               ? std::malloc(bytes)
               : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  };
  void* const block = of_library();
  if (block != nullptr || bytes == 0) return block;
  trim_page_pool();
  return of_library();
}

void deallocate(void* block) {
  PagePool* const pool = page_pool();
  if (pool != nullptr && pool->give_back(block)) return;
  std::free(block);
}

}  // namespace scree
