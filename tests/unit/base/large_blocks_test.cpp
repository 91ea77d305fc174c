/// The functions of src/large_blocks.cpp, which this program has, too.

#include <gtest/gtest.h>
#include <malloc.h>
#include <petscsys.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/page_pool.hpp"

namespace scree {
namespace {

constexpr std::size_t kBeyondPieces =
    4 * PagePool::kPiece;  // an alignment that no block of the pool has by itself
constexpr std::size_t kLarge = 2 * kLargeBlock + 1;
constexpr std::size_t kFew = 100;

bool is_of_pool(const void* block) {
  return page_pool()->size_of(block) > 0;
}

bool is_aligned(const void* at, std::size_t of) {
  return reinterpret_cast<std::uintptr_t>(at) % of == 0;
}

/// Out of the compiler's sight, which knows sizes that no block can have, and what is freed unread.
template <class T>
T unseen(T value) {
  volatile T hidden = value;
  return hidden;
}

/// Of the address space.
std::size_t bytes_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class LargeBlocks : public testing::Test {
 protected:
  void SetUp() override {
    if (page_pool() == nullptr) GTEST_SKIP() << "the sanitizer has memory of its own";
    page_pool()->trim();
  }
};

TEST_F(LargeBlocks, AreOfThePoolFromTheirLeastSizeOn) {
  void* const small = unseen(std::malloc(kLargeBlock - 1));
  EXPECT_FALSE(is_of_pool(small));
  void* const large = unseen(std::malloc(kLargeBlock));
  EXPECT_EQ(page_pool()->size_of(large), kLargeBlock);
  EXPECT_EQ(malloc_usable_size(large), kLargeBlock);
  EXPECT_GE(malloc_usable_size(small), kLargeBlock - 1);
  EXPECT_EQ(malloc_usable_size(nullptr), 0U);
  std::free(small);
  std::free(large);
  EXPECT_EQ(page_pool()->spare(), kLargeBlock);
  std::free(unseen<void*>(nullptr));
}

TEST_F(LargeBlocks, OfContainersAreAligned) {
  struct alignas(64) Wide {
    char bytes[64];
  };
  struct alignas(kBeyondPieces) Wider {
    char bytes[kBeyondPieces];
  };
  const std::vector<char> bytes(kLarge);
  EXPECT_TRUE(is_of_pool(bytes.data()));
  const std::vector<Wide> wide(kLarge / 64);
  EXPECT_TRUE(is_of_pool(wide.data()));
  EXPECT_TRUE(is_aligned(wide.data(), 64));
  const std::unique_ptr<char[]> few(new (std::nothrow) char[kLarge]);
  EXPECT_TRUE(is_of_pool(few.get()));
  const std::vector<Wider> wider(3);
  EXPECT_TRUE(is_aligned(wider.data(), kBeyondPieces));
  const std::vector<char> small(kFew);
  EXPECT_FALSE(is_of_pool(small.data()));
}

TEST_F(LargeBlocks, AreAlignedAsAsked) {
  for (const std::size_t bytes : {kFew * 64, kLarge + 63}) {
    for (const std::size_t alignment : {std::size_t{64}, std::size_t{4096}, kBeyondPieces}) {
      const bool of_pool = bytes >= kLargeBlock && alignment <= PagePool::kPiece;
      const std::size_t whole = bytes / alignment * alignment + alignment;
      void* const one = unseen(std::aligned_alloc(alignment, whole));
      void* const two = unseen(memalign(alignment, bytes));
      void* three = nullptr;
      ASSERT_EQ(posix_memalign(&three, alignment, bytes), 0);
      for (void* const block : {one, two, three}) {
        ASSERT_NE(block, nullptr);
        EXPECT_TRUE(is_aligned(block, alignment));
        EXPECT_EQ(is_of_pool(block), of_pool);
        std::fill_n(static_cast<char*>(block), bytes, 'x');
        std::free(block);
      }
    }
  }
  void* none = nullptr;
  EXPECT_EQ(posix_memalign(&none, unseen<std::size_t>(24), kLarge), EINVAL);
  EXPECT_EQ(posix_memalign(&none, unseen<std::size_t>(0), kLarge), EINVAL);
}

/// Blocks that are to be clear are the C library's, which clears no new pages: these are the
/// system's again when they are given back (base/runtime.cpp).
TEST_F(LargeBlocks, ThatAreClearHavePagesOfTheirOwnAndGiveThemBack) {
  constexpr std::size_t kOwn = std::size_t{96} << 20;  // more than the heap keeps at its end
  const std::size_t before = mallinfo2().hblkhd;
  char* const clear = static_cast<char*>(unseen(std::calloc(kOwn, 1)));
  EXPECT_FALSE(is_of_pool(clear));
  EXPECT_GE(mallinfo2().hblkhd, before + kOwn);
  EXPECT_EQ(std::count(clear, clear + kOwn, 0), static_cast<std::ptrdiff_t>(kOwn));
  std::free(clear);
  EXPECT_EQ(mallinfo2().hblkhd, before);
}

/// From small to large and back, within each kind, and to nothing.
TEST_F(LargeBlocks, KeepTheirContentWhereTheirSizeChanges) {
  char* block = nullptr;
  std::size_t kept = 0;
  for (const std::size_t bytes :
       {kFew, kLarge, 3 * kLarge, kLarge, 2 * kFew, kLargeBlock - 1, kLargeBlock, kFew}) {
    block = static_cast<char*>(std::realloc(block, bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(is_of_pool(block), bytes >= kLargeBlock);
    kept = std::min(kept, bytes);
    EXPECT_EQ(std::count(block, block + kept, 'x'), static_cast<std::ptrdiff_t>(kept));
    std::fill_n(block, bytes, 'x');
    kept = bytes;
  }
  block = static_cast<char*>(reallocarray(block, kLarge, 1));
  EXPECT_EQ(std::count(block, block + kFew, 'x'), static_cast<std::ptrdiff_t>(kFew));
  EXPECT_EQ(std::realloc(block, unseen<std::size_t>(0)), nullptr);
  EXPECT_GE(page_pool()->spare(), kLarge);
}

TEST_F(LargeBlocks, StayWhereALittleLessIsAskedFor) {
  void* block = std::malloc(4 * kLargeBlock);
  const std::uintptr_t at = unseen(reinterpret_cast<std::uintptr_t>(block));
  block = std::realloc(block, 3 * kLargeBlock);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block), at);
  block = std::realloc(block, 2 * kLargeBlock);  // half of the pages would lie idle
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(block), at);
  std::free(block);
}

/// What no block has goes back to the system before anything is refused.
TEST_F(LargeBlocks, HaveSmallOnesFindRoomInWhatIsSpare) {
  constexpr std::size_t kSpare = std::size_t{256} << 20;
  constexpr std::size_t kOne = std::size_t{1} << 20;
  std::free(unseen(std::malloc(kSpare)));
  ASSERT_GE(page_pool()->spare(), kSpare);
  std::vector<void*> blocks;
  blocks.reserve(8 * kSpare / kOne);
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  rlimit tight = before;
  tight.rlim_cur = bytes_in_use() + 8 * kOne;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  void* last = nullptr;
  do {
    last = std::malloc(kOne);
    blocks.push_back(last);
  } while (last != nullptr && page_pool()->spare() > 0 && blocks.size() < blocks.capacity());
  setrlimit(RLIMIT_AS, &before);
  EXPECT_NE(last, nullptr) << blocks.size();
  EXPECT_EQ(page_pool()->spare(), 0U);
  std::for_each(blocks.begin(), blocks.end(), std::free);
}

/// While another thread takes and gives back, whose lock a child would have for ever.
TEST_F(LargeBlocks, AreGivenToChildrenOfProcessesWithThreads) {
  constexpr int kChildren = 20;
  std::atomic<bool> goes_on = true;
  std::thread other([&goes_on] {
    while (goes_on) std::free(unseen(std::malloc(kLarge)));
  });
  int done = 0;
  for (int k = 0; k < kChildren; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);  // ends a child that waits
      std::free(unseen(std::malloc(kLarge)));
      _exit(0);
    }
    int status = 1;
    if (waitpid(child, &status, 0) == child && status == 0) ++done;
    if (done <= k) break;
  }
  goes_on = false;
  other.join();
  EXPECT_EQ(done, kChildren);
}

TEST_F(LargeBlocks, ThatCannotBeAreNotGiven) {
  const std::size_t none = unseen(std::numeric_limits<std::size_t>::max() / 2 - 100);
  const std::size_t all = unseen(std::numeric_limits<std::size_t>::max() - 100);
  EXPECT_EQ(::operator new(none, std::nothrow), nullptr);
  EXPECT_THROW(::operator delete(::operator new(none)), std::bad_alloc);
  for (const std::size_t bytes : {none, all}) {
    errno = 0;
    EXPECT_EQ(std::malloc(bytes), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_EQ(std::calloc(bytes, 4), nullptr);
    EXPECT_EQ(std::calloc(1, bytes), nullptr);
    EXPECT_EQ(memalign(kBeyondPieces, bytes), nullptr);
    EXPECT_EQ(memalign(64, bytes), nullptr);
    char* const block = static_cast<char*>(std::malloc(kLarge));
    block[0] = 'x';
    // what is asked for in vain leaves the block as it is, unlike what the compiler warns of
    const std::uintptr_t at = unseen(reinterpret_cast<std::uintptr_t>(block));
    EXPECT_EQ(std::realloc(block, bytes), nullptr);
    EXPECT_EQ(reallocarray(reinterpret_cast<void*>(unseen(at)), bytes, 4), nullptr);
    char* const same = reinterpret_cast<char*>(unseen(at));
    EXPECT_EQ(same[0], 'x');
    std::free(same);
  }
}

TEST_F(LargeBlocks, OfPetscAreOfThePool) {
  const std::size_t n = kLargeBlock / sizeof(double);
  double* values = nullptr;
  SCREE_PETSC(PetscMalloc1(n, &values));
  EXPECT_TRUE(is_of_pool(values));
  std::fill_n(values, n, 1.0);
  SCREE_PETSC(PetscFree(values));
  SCREE_PETSC(PetscCalloc1(n, &values));  // on the same pages
  EXPECT_TRUE(is_of_pool(values));
  EXPECT_EQ(std::count(values, values + n, 0.0), static_cast<std::ptrdiff_t>(n));
  std::fill_n(values, n, 2.0);
  SCREE_PETSC(PetscRealloc(2 * n * sizeof(double), &values));
  EXPECT_EQ(std::count(values, values + n, 2.0), static_cast<std::ptrdiff_t>(n));
  SCREE_PETSC(PetscRealloc(kFew * sizeof(double), &values));
  EXPECT_EQ(std::count(values, values + kFew, 2.0), static_cast<std::ptrdiff_t>(kFew));
  SCREE_PETSC(PetscFree(values));
}

}  // namespace
}  // namespace scree
