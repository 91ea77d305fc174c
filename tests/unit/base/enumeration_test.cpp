#include "scree/base/enumeration.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

enum class Colour { red, dark_green };

}  // namespace

template <>
inline constexpr std::array kNamesOf<Colour> = names("red", "dark green");

namespace {

TEST(Enumeration, NamesGoThereAndBack) {
  for (const Colour colour : {Colour::red, Colour::dark_green}) {
    EXPECT_EQ(value_named<Colour>(to_string(colour)), colour);
  }
  EXPECT_EQ(to_string(Colour::dark_green), "dark green");
}

TEST(Enumeration, AWordThatIsNoNameHasNoValue) {
  EXPECT_EQ(value_named<Colour>("dark"), std::nullopt);
  EXPECT_EQ(value_named<Colour>(""), std::nullopt);
}

}  // namespace
}  // namespace scree
