#include "scree/base/petsc_count.hpp"

#include <gtest/gtest.h>

#include "scree/base/check.hpp"

namespace scree {
namespace {

TEST(PetscCount, WhatFitsHasNoFault) {
  EXPECT_EQ(petsc::fault_of_total(petsc::kLargestInt, "rows"), "");
  EXPECT_EQ(petsc::fault_of_share(petsc::kLargestInt, "entries", 4), "");
  EXPECT_EQ(petsc::fault_of_total(1000, "rows", 1000), "");
}

TEST(PetscCount, AFaultOfAllRanksNamesTheBuild) {
  const std::string fault = petsc::fault_of_total(1001, "rows of contacts", 1000);
  EXPECT_NE(fault.find("1001 rows of contacts"), std::string::npos) << fault;
  EXPECT_NE(fault.find("64-bit indices"), std::string::npos) << fault;
  EXPECT_EQ(fault.find("ranks"), std::string::npos) << "more of them do not help";
}

TEST(PetscCount, AFaultOfOneRankNamesHowManyWouldDo) {
  const std::string fault = petsc::fault_of_share(2501, "entries", 4, 1000);  // 10.004 thousands
  EXPECT_NE(fault.find("2501 entries on one of 4 ranks"), std::string::npos) << fault;
  EXPECT_NE(fault.find("take 11 ranks or more"), std::string::npos) << fault;
  EXPECT_NE(fault.find("64-bit indices"), std::string::npos) << fault;
}

TEST(PetscCount, CountsBeyondThirtyTwoBitsAreNotCutOff) {
  const std::string fault = petsc::fault_of_share(std::int64_t{5} << 31, "entries", 64, 2147483647);
  EXPECT_NE(fault.find("take 321 ranks or more"), std::string::npos) << fault;
}

}  // namespace
}  // namespace scree
