#include <gtest/gtest.h>

#include "scree/io/fclib/fclib.hpp"

namespace scree {
namespace {

constexpr std::int64_t kLargest = 2147483647;

TEST(FclibFault, AllowsWhatFits) {
  EXPECT_EQ(fclib_fault({}), "");
  EXPECT_EQ(fclib_fault({.rows = kLargest,
                         .dofs = kLargest,
                         .operator_entries = kLargest,
                         .mass_entries = kLargest}),
            "");
}

TEST(FclibFault, NamesWhatDoesNot) {
  const auto expect = [](const FclibSizes& sizes, const std::string& text) {
    EXPECT_NE(fclib_fault(sizes).find("2147483648 " + text), std::string::npos)
        << fclib_fault(sizes);
    EXPECT_NE(fclib_fault(sizes).find("32 bits, up to 2147483647"), std::string::npos);
  };
  expect({.rows = kLargest + 1}, "rows of contacts");
  expect({.dofs = kLargest + 1}, "degrees of freedom");
  expect({.dofs = 6, .operator_entries = kLargest + 1}, "entries in H");
  expect({.operator_entries = kLargest + 1}, "entries in W");
  expect({.dofs = 6, .mass_entries = kLargest + 1}, "entries in M");
}

}  // namespace
}  // namespace scree
