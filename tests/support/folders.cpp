#include "support/folders.hpp"

namespace scree::test {

std::filesystem::path source_dir() {
  return SCREE_SOURCE_DIR;
}

std::filesystem::path shared_dir() {
  return SCREE_SHARED_DIR;
}

}  // namespace scree::test
