#include "scree/base/page_pool.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace scree {
namespace {

constexpr std::size_t kPiece = PagePool::kPiece;

std::size_t behind_multiple(const void* at, std::size_t of) {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(at) % of);
}

TEST(PagePool, GivesThePagesOfOldBlocksToNewOnesOfOtherSizes) {
  PagePool pool;
  constexpr std::size_t kSmall = PagePool::kSmallPiece;
  void* const a = pool.take(5 * kPiece + 3 * kSmall - 1);
  void* const b = pool.take(3 * kPiece + 2 * kSmall);
  std::memset(a, 1, 5 * kPiece + 3 * kSmall);
  std::memset(b, 2, 3 * kPiece + 2 * kSmall);
  EXPECT_EQ(pool.size_of(a), 5 * kPiece + 3 * kSmall);
  EXPECT_TRUE(pool.give_back(a));
  EXPECT_TRUE(pool.give_back(b));
  EXPECT_EQ(pool.spare(), 8 * kPiece + 5 * kSmall);
  constexpr std::size_t kBytes = 7 * kPiece + 4 * kSmall;
  auto* const c = static_cast<unsigned char*>(pool.take(kBytes));
  EXPECT_EQ(behind_multiple(c, kPiece), 0U);
  EXPECT_EQ(pool.spare(), kPiece + kSmall);
  // of old pages all, since new ones hold zeros
  EXPECT_EQ(std::count(c, c + kBytes, 0), 0);
  EXPECT_TRUE(pool.give_back(c));
  EXPECT_FALSE(pool.give_back(c));
  pool.trim();
  EXPECT_EQ(pool.spare(), 0U);
}

TEST(PagePool, LeavesOthersBlocksAlone) {
  PagePool pool;
  int own = 0;
  EXPECT_FALSE(pool.give_back(&own));
  EXPECT_EQ(pool.size_of(&own), 0U);
  EXPECT_FALSE(pool.give_back(nullptr));
  PagePool other;
  void* const block = other.take(kPiece);
  EXPECT_FALSE(pool.give_back(block));
  EXPECT_TRUE(other.give_back(block));
}

/// Blocks come and go, and each must keep what was written to it; no more pages are held than
/// blocks once had together.
TEST(PagePool, KeepsWhatBlocksHoldWhileOthersComeAndGo) {
  PagePool pool;
  std::mt19937 random(7);
  std::map<unsigned char*, unsigned char> blocks;
  const auto first_and_last = [](unsigned char* block, std::size_t bytes) {
    return std::vector{block[0], block[bytes / 2], block[bytes - 1]};
  };
  std::size_t held = 0;
  std::size_t most = 0;
  for (int i = 0; i < 400; ++i) {
    if (blocks.size() < 4 || (blocks.size() < 12 && random() % 2 == 0)) {
      const std::size_t bytes = kPiece / 8 * (1 + random() % 70) - random() % 9;
      auto* const block = static_cast<unsigned char*>(pool.take(bytes));
      ASSERT_NE(block, nullptr);
      ASSERT_FALSE(blocks.contains(block));
      const auto mark = static_cast<unsigned char>(random() % 256);
      std::memset(block, mark, pool.size_of(block));
      blocks[block] = mark;
      held += pool.size_of(block);
    } else {
      auto at = blocks.begin();
      std::advance(at, random() % blocks.size());
      held -= pool.size_of(at->first);
      EXPECT_TRUE(pool.give_back(at->first));
      blocks.erase(at);
    }
    most = std::max(most, held);
    // small pieces and large ones are not used for each other
    EXPECT_LE(held + pool.spare(), most + 12 * kPiece);
    for (const auto& [block, mark] : blocks) {
      EXPECT_EQ(first_and_last(block, pool.size_of(block)), std::vector(3, mark)) << i;
    }
  }
}

/// A library may ask that a part of its buffer not be copied to forked processes (InfiniBand's
/// does): kernels before 6.17 then do not move the whole, and leave a hole where it was to go.
TEST(PagePool, TakesNewPagesWhereTheSystemMovesNone) {
  PagePool pool;
  auto* const first = static_cast<std::byte*>(pool.take(6 * kPiece));
  std::memset(first, 1, 6 * kPiece);
  ASSERT_EQ(madvise(first + 2 * kPiece, kPiece, MADV_DONTFORK), 0);
  EXPECT_TRUE(pool.give_back(first));
  void* const second = pool.take(6 * kPiece);
  std::memset(second, 2, 6 * kPiece);
  EXPECT_TRUE(pool.give_back(second));
}

/// Runs of pages as the system counts them, one beside the other, until it has no more; they end in
/// the destructor.
class AllRuns {
 public:
  AllRuns() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const at = mmap(nullptr, kPages * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return;
    begin_ = static_cast<std::byte*>(at);
    // every second page by rights of its own
    while (2 * n_ < kPages && mprotect(page(n_), page_, PROT_READ) == 0) ++n_;
  }
  ~AllRuns() {
    if (begin_ != nullptr) munmap(begin_, kPages * page_);
  }
  AllRuns(const AllRuns&) = delete;
  AllRuns& operator=(const AllRuns&) = delete;

  bool are_used_up() const { return begin_ != nullptr && 2 * n_ < kPages; }
  /// Gives a few back.
  void release_one() { mprotect(page(--n_), page_, PROT_NONE); }

 private:
  static constexpr std::size_t kPages = 200'000;  // for three times the usual bound
  std::byte* page(std::size_t k) const { return begin_ + 2 * k * page_; }

  std::size_t page_;
  std::byte* begin_ = nullptr;
  std::size_t n_ = 0;
};

/// Near the bound some of the calls that make a block are refused, at each place in turn: there is
/// no block then, or one that holds what is written.
TEST(PagePool, HasWholeBlocksOrNoneWhereTheSystemRefusesItPages) {
  constexpr std::size_t kBytes = 6 * kPiece + 3 * PagePool::kSmallPiece;
  PagePool pool;
  int refused = 0;
  int made = 0;
  AllRuns runs;
  if (!runs.are_used_up()) GTEST_SKIP() << "the system has more runs than are worth using up";
  for (int left = 0; left < 12; ++left, runs.release_one()) {
    for (int k = 0; k < 4; ++k) {
      std::vector<unsigned char*> blocks;
      for (int b = 0; b < 3; ++b) {
        auto* const block = static_cast<unsigned char*>(pool.take(kBytes));
        ++(block == nullptr ? refused : made);
        if (block == nullptr) continue;
        std::memset(block, b + 1, kBytes);
        blocks.push_back(block);
      }
      for (unsigned char* const block : blocks) {
        EXPECT_EQ(std::count(block, block + kBytes, block[0]), static_cast<std::ptrdiff_t>(kBytes));
        EXPECT_TRUE(pool.give_back(block));
      }
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(made, 0);
}

TEST(PagePool, HasNoRoomForWhatNoMemoryHolds) {
  PagePool pool;
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t less : {std::size_t{0}, std::size_t{40}, kPiece, most / 2}) {
    EXPECT_EQ(pool.take(most - less), nullptr) << less;
  }
  EXPECT_EQ(pool.spare(), 0U);
  void* const least = pool.take(0);
  EXPECT_NE(least, nullptr);
  EXPECT_TRUE(pool.give_back(least));
}

TEST(PagePool, ServesSeveralThreads) {
  PagePool pool;
  const auto work = [&pool](unsigned char mark) {
    for (int i = 0; i < 50; ++i) {
      auto* const block = static_cast<unsigned char*>(pool.take((1 + i % 3) * kPiece));
      std::memset(block, mark, pool.size_of(block));
      EXPECT_EQ(block[kPiece / 2], mark);
      EXPECT_TRUE(pool.give_back(block));
    }
  };
  std::thread one(work, 1);
  std::thread two(work, 2);
  one.join();
  two.join();
}

}  // namespace
}  // namespace scree
