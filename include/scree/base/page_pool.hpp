#pragma once

/// Large blocks of memory, whose pages are used again whatever the sizes of the blocks.
///
/// A step of a million grains takes and gives back blocks of some gigabytes, each stage others. The
/// C library has the system take their pages back and give others, which it must clear: a quarter
/// of such a step, and more where pages are dear to take, as on virtual machines. Here the pages of
/// a block that was given back become those of the next blocks (mremap), so that a process has
/// hardly more of them than its blocks once had together. What vectors have to spare is among them.
///
/// The system bounds the runs of pages that a process has (vm.max_map_count, 65,530 where it is not
/// set), and runs get shorter the longer blocks come and go: from some 100 GB a process on it may
/// refuse to move pages, and new ones take their place.

#include <array>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <vector>

// Defined where a sanitizer watches over memory, which has allocators of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCREE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SCREE_SANITIZED
#endif
#endif

namespace scree {

/// All members may be called by any thread.
class PagePool {
 public:
  /// Bytes of the pieces that blocks are made of, a huge page; blocks begin at multiples of it.
  static constexpr std::size_t kPiece = std::size_t{2} << 20;
  /// Bytes of the pieces behind the last whole one. None of them becomes part of a whole one.
  static constexpr std::size_t kSmallPiece = std::size_t{64} << 10;

  PagePool() = default;
  /// Gives all pages back, those of blocks, too.
  ~PagePool();
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;

  /// A block of at least @p bytes, in which anything may stand; null where the system has no room.
  void* take(std::size_t bytes);
  /// Takes @p block back. @returns false where it is none of this pool's.
  bool give_back(void* block);
  /// Bytes of @p block; 0 where it is none of this pool's.
  std::size_t size_of(const void* block) const;
  /// Gives the system all pages that no block has.
  void trim();
  /// Bytes of pages that no block has.
  std::size_t spare() const;
  /// Keeps others from all that is above, while the process makes a child.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  /// Pages side by side, which the system moves at once.
  struct Run {
    std::byte* begin;
    std::size_t bytes;
  };
  using Runs = std::pmr::vector<Run>;
  /// Memory for what the pool notes, which must not stand on the C library's heap: the end of that
  /// goes back to the system only as far as nothing stands on it. (The pools of the standard
  /// library break where the memory below them throws.)
  class Notes final : public std::pmr::memory_resource {
   public:
    Notes();
    ~Notes() override;

   private:
    static constexpr std::size_t kRoom = std::size_t{16} << 20;  // of which what is used is touched
    static constexpr std::size_t kClasses = 25;                  // powers of two
    struct Free {
      Free* next;
    };
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }

    std::byte* begin_;
    std::size_t used_ = 0;
    std::array<Free*, kClasses> free_{};
  };

  void fill(std::byte* begin, std::size_t bytes, Runs& from, Runs& block);
  void put_new_pages(Runs& block, const Run& run);
  void add_to_spare(const Run& run);
  void unmap_spare();
  static std::size_t bytes_of(const Runs& runs);

  mutable std::mutex mutex_;
  Notes notes_;
  std::pmr::map<const void*, Runs> blocks_{&notes_};
  Runs spare_{&notes_};        ///< of whole pieces
  Runs small_spare_{&notes_};  ///< of small ones
};

/// Blocks of so many bytes and more come from the pool, where the program has it so
/// (src/large_blocks.cpp).
inline constexpr std::size_t kLargeBlock = std::size_t{8} << 20;

/// The pool of the process, which never ends. None where SCREE_SANITIZED is defined.
PagePool* page_pool();

}  // namespace scree
