#include "scree/io/version.hpp"

namespace scree {

std::string_view version() {
  return SCREE_VERSION;
}

std::string_view git_hash() {
  return SCREE_GIT_HASH;
}

}  // namespace scree
