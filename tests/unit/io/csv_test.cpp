#include "scree/io/tables/csv.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "scree/base/check.hpp"

namespace scree {
namespace {

TEST(Csv, NumbersReadBackAsTheyWere) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, -2.5e17, 5e-324, 0.0}) {
    EXPECT_EQ(std::strtod(csv_text(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(csv_text(0.1), "0.1");
  EXPECT_EQ(csv_text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(csv_text("a, \"b\""), "\"a, \"\"b\"\"\"");
}

TEST(Csv, AWriterOfOtherRanksWritesNothing) {
  struct Record {};
  CsvWriter<Record> silent;
  EXPECT_NO_THROW(silent.write({}));
}

TEST(Csv, FullDiskIsAFailureThatNamesTheFile) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  LineFile file("/dev/full", true);
  try {
    file.write("row");
    FAIL() << "no exception";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace scree
