#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <vector>

namespace scree {
namespace {

/// Libraries that PETSc loads may have turned that off (base/runtime.cpp).
TEST(LargeBlocks, HavePagesOfTheirOwnAndGiveThemBack) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const std::size_t before = mallinfo2().hblkhd;
  {
    const std::vector<char> block(kBytes);
    EXPECT_GE(mallinfo2().hblkhd, before + block.size());
  }
  EXPECT_EQ(mallinfo2().hblkhd, before);
}

}  // namespace
}  // namespace scree
