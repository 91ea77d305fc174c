#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace scree::testing {

/// A file with a given text, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    static int number = 0;
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(::testing::TempDir()) /
            (std::string("scree_") + test->test_suite_name() + "_" + test->name() + "_" +
             std::to_string(number++) + ".csv");
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace scree::testing
