#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/tables/results_table.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

ResultsTable sample_table() {
  return {.configuration = "base: x\n",
          .columns = {{"cases", "case", "", Texts{"mu_0.1", "mu_0.2"}},
                      {"parameters", "friction[a,b].mu", "", Numbers{0.1, 0.2}},
                      {"observables", "energy", "J",
                       Numbers{1e-9, std::numeric_limits<double>::quiet_NaN()}},
                      {"provenance", "configuration", "", Texts{"two\nlines", ""}},
                      {"cases", "error", "", Texts{"", "said \"no\", and µ"}}}};
}

TEST(ResultsTable, HasALineACaseInCsv) {
  const test::TemporaryFolder folder;
  write_results_csv(folder.path() / "r.csv", sample_table());
  EXPECT_EQ(read_text_file(folder.path() / "r.csv"),
            "case,\"friction[a,b].mu\",energy,error\nmu_0.1,0.1,1e-09,\nmu_0.2,0.2,nan,\"said "
            "\"\"no\"\", and µ\"\n");
}

TEST(ResultsTable, ReadsBackFromHdf5) {
  const test::TemporaryFolder folder;
  const ResultsTable table = sample_table();
  write_results_hdf5(folder.path() / "r.h5", table);
  const ResultsTable read = read_results(folder.path() / "r.h5");
  EXPECT_EQ(read.configuration, table.configuration);
  ASSERT_EQ(read.columns.size(), table.columns.size());
  EXPECT_EQ(read.rows(), 2U);
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    EXPECT_EQ(read.columns[k].group, table.columns[k].group);
    EXPECT_EQ(read.columns[k].name, table.columns[k].name);
    EXPECT_EQ(read.columns[k].unit, table.columns[k].unit);
    if (table.columns[k].name == "energy") continue;  // holds a value that equals nothing
    EXPECT_EQ(read.columns[k].values, table.columns[k].values);
  }
  const Numbers& energy = std::get<Numbers>(read.columns[2].values);
  EXPECT_EQ(energy[0], 1e-9);
  EXPECT_TRUE(std::isnan(energy[1]));
}

TEST(ResultsTable, AnotherFileIsRefused) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "r.h5") << "no HDF5";
  EXPECT_THROW(read_results(folder.path() / "r.h5"), InputError);
}

}  // namespace
}  // namespace scree
