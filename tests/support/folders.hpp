#pragma once

/// Folders of files that tests read.

#include <filesystem>

namespace scree::test {

/// The top of scree's source tree.
std::filesystem::path source_dir();

/// Stored problems and scenes beside the source tree, which need not be there: see
/// has_shared_dir().
std::filesystem::path shared_dir();

}  // namespace scree::test
