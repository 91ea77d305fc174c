#include <gtest/gtest.h>

#include "scree/app/run/followed.hpp"
#include "scree/config/emit.hpp"
#include "small_run.hpp"

namespace scree {
namespace {

using test::refusal;
using test::with;

const std::string kFollowing =
    with("output: {directory: there}", "output: {directory: there, follow: [2, bed, 17, 2]}");

TEST(FollowKeys, NameIdsAndPopulations) {
  const RunConfig config = read_run_config(kFollowing, "r.yaml");
  const FollowedGrains grains = followed_grains(config);
  EXPECT_EQ(grains.ids, (std::set<std::int64_t>{2, 17}));
  EXPECT_EQ(grains.populations, (std::set<std::int32_t>{0}));
  EXPECT_TRUE(grains.has(17, 1));
  EXPECT_TRUE(grains.has(5, 0));
  EXPECT_FALSE(grains.has(5, 1));
  const std::string written = emit_yaml(config);
  EXPECT_EQ(emit_yaml(read_run_config(written, "r.yaml")), written);
  EXPECT_TRUE(followed_grains(read_run_config(test::kText, "r.yaml")).empty());
}

TEST(FollowKeys, RefuseWhatNamesNoGrains) {
  EXPECT_EQ(refusal(kFollowing, {"output.follow=[floor]"}),
            "r.yaml:32: output: follow: \"floor\" is no id of a grain, no group "
            "of bodies, no population and no insertion; allowed: bed, pile");
  for (const char* entry : {"-1", "1.5", "1e3"}) {
    EXPECT_NE(refusal(kFollowing, {fmt::format("output.follow=[{}]", entry)})
                  .find(fmt::format("\"{}\" is no id of a grain", entry)),
              std::string::npos);
  }
  EXPECT_NE(refusal(with("  pile:\n", "  17:\n"), {"output.follow=[17]"})
                .find("follow: \"17\" is an id, and the name of grains, too; allowed: another name "
                      "for these"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
