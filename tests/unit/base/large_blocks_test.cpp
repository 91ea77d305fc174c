#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdlib>

namespace scree {
namespace {

/// Libraries that PETSc loads may have turned that off (base/runtime.cpp).
TEST(LargeBlocks, OfLibrariesHavePagesOfTheirOwnAndGiveThemBack) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const std::size_t before = mallinfo2().hblkhd;
  void* volatile block = std::malloc(kBytes);  // or it would not be asked for at all
  EXPECT_GE(mallinfo2().hblkhd, before + kBytes);
  std::free(block);
  EXPECT_EQ(mallinfo2().hblkhd, before);
}

}  // namespace
}  // namespace scree
