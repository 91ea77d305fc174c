#pragma once

/// Contents of the files that configurations name (grains, motions): a run changes when one of them
/// does.

#include <filesystem>
#include <map>
#include <string>

#include "scree/app/config/run_config.hpp"

namespace scree {

class FileContents {
 public:
  /// A line for each file that @p config names: its path, and the fingerprint of its content, which
  /// is read once for all cases. Not collective. @throws InputError when a file cannot be read.
  std::string lines_of(const RunConfig& config);

 private:
  const std::string& content_of(const std::filesystem::path& file);

  std::map<std::filesystem::path, std::string> known_;
};

}  // namespace scree
