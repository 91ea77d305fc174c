#include "scree/base/instructions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace scree {
namespace {

TEST(Instructions, WhatTheProcessorHasMayBeNamed) {
  for (const Instructions best : {Instructions::plain, Instructions::avx2, Instructions::avx512}) {
    for (const std::string_view name : kNamesOf<Instructions>) {
      const std::string fault = fault_of_instructions(name, best);
      EXPECT_EQ(fault.empty(), *value_named<Instructions>(name) <= best) << fault;
    }
  }
}

TEST(Instructions, OthersAreRefusedWithTheReason) {
  const std::string lacking = fault_of_instructions("avx512", Instructions::avx2);
  EXPECT_NE(lacking.find("SCREE_INSTRUCTIONS is `avx512`"), std::string::npos) << lacking;
  EXPECT_NE(lacking.find("the most it may be is `avx2`"), std::string::npos) << lacking;
  for (const char* unknown : {"", "AVX2", "avx1024"}) {
    const std::string fault = fault_of_instructions(unknown, Instructions::avx512);
    EXPECT_NE(fault.find("allowed: plain, avx2, avx512"), std::string::npos) << fault;
  }
}

/// The variable decides, where the suite is run with it.
TEST(Instructions, AreTheBestOrThoseOfTheVariable) {
  const char* name = std::getenv("SCREE_INSTRUCTIONS");
  EXPECT_EQ(instructions(),
            name == nullptr ? best_instructions() : *value_named<Instructions>(name));
}

TEST(Instructions, EveryVariantDoesTheSame) {
  const std::vector<double> x{1.0, 2.5, -3.0, 4.0, 0.125, 7.0, -8.0, 9.5, 10.0};
  for (Instructions used : {Instructions::plain, Instructions::avx2, Instructions::avx512}) {
    if (used > best_instructions()) continue;
    std::vector<double> squares(x.size());
    run_by(used, [&] {
      for (std::size_t k = 0; k < x.size(); ++k) squares[k] = x[k] * x[k];
    });
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(squares[k], x[k] * x[k]) << k;
  }
}

}  // namespace
}  // namespace scree
