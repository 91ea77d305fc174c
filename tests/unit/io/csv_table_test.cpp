#include "scree/config/csv_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scree/io/tables/csv.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

class CsvTableFile : public ::testing::Test {
 protected:
  ~CsvTableFile() override { std::filesystem::remove(path_); }
  CsvTable table(const std::string& text) {
    std::ofstream(path_) << text;
    return read_csv_table(path_);
  }
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("csv_table" + std::to_string(getpid()) + ".csv");
};

TEST_F(CsvTableFile, ReadsWhatIsWritten) {
  const std::string reason = "nsgs: stagnated (\"0.1\", after 3); then, pac";
  const CsvTable read =
      table("step,reason,x\n1," + csv_text(reason) + ',' + csv_text(1.0 / 3.0) + "\n2,,nan\n");
  EXPECT_EQ(read.texts("reason"), (std::vector<std::string>{reason, ""}));
  EXPECT_EQ(read.numbers("step"), (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(read.numbers("x")[0], 1.0 / 3.0);
  EXPECT_TRUE(std::isnan(read.numbers("x")[1]));
}

TEST_F(CsvTableFile, ALineThatIsBeingWrittenIsLeftOut) {
  EXPECT_EQ(table("a,b\n1,2\n3,").rows.size(), 1U);
  EXPECT_EQ(table("a,b\n").rows.size(), 0U);
  EXPECT_EQ(table("").rows.size(), 0U);
}

TEST_F(CsvTableFile, FaultsAreTold) {
  const std::string name = path_.string();
  EXPECT_EQ(test::refusal_of([this] { table("a,b\n1,2\n3\n"); }),
            name + ":3: 1 values under 2 names");
  EXPECT_EQ(test::refusal_of([this] { (void)table("a\n1\nx2\n").numbers("a"); }),
            name + ":3: a: \"x2\" is no number");
  EXPECT_EQ(test::refusal_of([this] { (void)table("a\n1\n").numbers("b"); }),
            name + ":1: there is no column `b`");
  // lines are those of the file, whatever stands between rows
  EXPECT_EQ(test::refusal_of([this] { (void)table("a\n1\n\n# more\nx2\n").numbers("a"); }),
            name + ":5: a: \"x2\" is no number");
  for (const char* damaged : {"a,b\n1,\"2\n", "a,b\n\"1\"5,2\n"}) {
    EXPECT_EQ(test::refusal_of([&] { table(damaged); }),
              name + ":2: a quotation mark is not closed at the end of its cell");
  }
  EXPECT_NE(
      test::refusal_of([] { read_csv_table("/no/such.csv"); }).find("/no/such.csv: no such file"),
      std::string::npos);
}

}  // namespace
}  // namespace scree
