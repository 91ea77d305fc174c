/// The table of keys in docs/sweeps.md is up to date.

#include "support/documents.hpp"
#include "scree/config/reference.hpp"
#include "scree/sweep/sweep_config.hpp"

namespace scree {
namespace {

TEST(Documents, KeysOfSweepsAreThoseOfTheCode) {
  test::expect_section("sweeps.md", "sweep-keys", key_reference<SweepConfig>());
}

}  // namespace
}  // namespace scree
