#pragma once

/// The files that a declared struct names: what it depends on besides its own values. Not
/// collective.

#include <filesystem>
#include <functional>
#include <vector>

#include "scree/config/declaration.hpp"

namespace scree {

/// The values of all keys that name files which must exist (About::must_exist), in the order of the
/// keys; without those that are empty.
std::vector<std::filesystem::path> files_of_declared(
    const std::function<void(Declaration&)>& declare);

template <class T>
std::vector<std::filesystem::path> named_files(T value) {
  return files_of_declared([&value](Declaration& d) { value.declare(d); });
}

}  // namespace scree
