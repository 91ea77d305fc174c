#include "scree/base/page_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace scree {
namespace {

constexpr std::size_t kPiece = PagePool::kPiece;
constexpr std::size_t kSmallPiece = PagePool::kSmallPiece;
/// Bytes beyond which no block can be, and sums of sizes would not hold.
constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() - 2 * kPiece;

std::size_t misalignment(const void* at) {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(at) % kPiece);
}

/// @p bytes in small pieces, one at least.
std::size_t rounded_up(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + kSmallPiece - 1) / kSmallPiece * kSmallPiece;
}

/// Where the system cannot hold what is beside them as runs of their own, pages stay, and hold no
/// memory.
void unmap(std::byte* begin, std::size_t bytes) {
  if (bytes > 0 && munmap(begin, bytes) != 0) madvise(begin, bytes, MADV_DONTNEED);
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
  std::byte* const begin = map_at(nullptr, bytes + kPiece, 0);
  if (begin == nullptr) return nullptr;
  const std::size_t before = kPiece - misalignment(begin);
  unmap(begin, before);
  unmap(begin + before + bytes, kPiece - before);
  madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

/// Puts the pages of @p from in the place of those at @p to. @returns whether the system did: it
/// may have as many runs as it can hold, or others have made several of one (by madvise, say).
/// Those at @p to are gone then, or not, as the system found its reason late or early. (Hooks of
/// UCX before 1.14 lose the place, where others than Open MPI's are used.)
bool move(std::byte* from, std::size_t bytes, std::byte* to) {
  return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
}

/// The power of two that @p bytes take, of which each is aligned for any type.
std::size_t class_of(std::size_t bytes) {
  return static_cast<std::size_t>(std::bit_width(std::max(bytes, alignof(std::max_align_t)) - 1));
}

/// Whether all pages are there.
bool is_mapped(std::byte* begin, std::size_t bytes) {
  constexpr std::size_t kLeastPage = 4096;
  std::array<unsigned char, kPiece / kLeastPage> in_memory{};
  for (std::size_t at = 0; at < bytes; at += kPiece) {
    if (mincore(begin + at, std::min(kPiece, bytes - at), in_memory.data()) != 0) return false;
  }
  return true;
}

}  // namespace

PagePool::Notes::Notes() : begin_(map_at(nullptr, kRoom, MAP_NORESERVE)) {}

PagePool::Notes::~Notes() {
  if (begin_ != nullptr) unmap(begin_, kRoom);
}

void* PagePool::Notes::do_allocate(std::size_t bytes, std::size_t /*alignment*/) {
  const std::size_t size_class = class_of(bytes);
  if (size_class >= kClasses) throw std::bad_alloc();
  if (Free* const first = free_[size_class]) {
    free_[size_class] = first->next;
    return first;
  }
  const std::size_t own = std::size_t{1} << size_class;
  if (begin_ == nullptr || own > kRoom - used_) throw std::bad_alloc();
  void* const at = begin_ + used_;
  used_ += own;
  return at;
}

void PagePool::Notes::do_deallocate(void* at, std::size_t bytes, std::size_t /*alignment*/) {
  Free*& first = free_[class_of(bytes)];
  first = new (at) Free{first};
}

PagePool::~PagePool() {
  unmap_spare();
  for (const auto& [begin, block] : blocks_) {
    for (const Run& run : block) unmap(run.begin, run.bytes);
  }
}

void* PagePool::take(std::size_t bytes) {
  if (bytes > kMost) return nullptr;
  const std::scoped_lock lock(mutex_);
  const std::size_t own = rounded_up(bytes);
  const std::size_t whole = own / kPiece * kPiece;
  std::byte* begin = map(own);
  if (begin == nullptr) {
    unmap_spare();
    begin = map(own);
  }
  if (begin == nullptr) return nullptr;
  Runs block(&notes_);
  try {
    fill(begin, whole, spare_, block);
    fill(begin + whole, own - whole, small_spare_, block);
    blocks_.emplace(begin, std::move(block));
  } catch (const std::bad_alloc&) {
    // the others were not touched; some may be somebody else's now
    for (const Run& run : block) unmap(run.begin, run.bytes);
    return nullptr;
  }
  return begin;
}

/// Has the new pages at @p begin give way to spare ones @p from those of their kind, as far as
/// there are any and the system moves them. @p block gets what is there.
void PagePool::fill(std::byte* begin, std::size_t bytes, Runs& from, Runs& block) {
  std::byte* at = begin;
  std::byte* const end = begin + bytes;
  while (at < end && !from.empty()) {
    const Run run = from.back();
    const std::size_t n = std::min(run.bytes, static_cast<std::size_t>(end - at));
    block.push_back({at, n});
    from.pop_back();
    if (!move(run.begin + (run.bytes - n), n, at)) {
      put_new_pages(block, run);
      at += n;
      break;
    }
    if (n < run.bytes) from.push_back({run.begin, run.bytes - n});
    at += n;
  }
  if (at < end) block.push_back({at, static_cast<std::size_t>(end - at)});
}

/// Where the last run of @p block is to be, since the spare @p run, which is none any more, was not
/// moved there. Gives up all that is spare: there are as many runs as the system holds.
void PagePool::put_new_pages(Runs& block, const Run& run) {
  const Run place = block.back();
  const auto is_there = [&place] { return map_at(place.begin, place.bytes, MAP_FIXED) != nullptr; };
  bool done = is_there();
  // by kernels from 6.17 on a part of several runs may have gone, and others' pages come there
  const bool is_whole = is_mapped(run.begin, run.bytes);
  if (is_whole) unmap(run.begin, run.bytes);
  unmap_spare();
  done = done || is_there();
  if (!done) {
    block.pop_back();
    throw std::bad_alloc();
  }
  madvise(place.begin, place.bytes, MADV_HUGEPAGE);
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

}  // namespace scree
