#pragma once

/// Differences between two YAML documents, key by key: between the configuration that a checkpoint
/// was written under and the one that is to go on from it. No MPI, not collective.

#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A key whose value is not the same; a value that one document lacks is empty there.
struct Difference {
  std::string key;  ///< a.b.0.c
  std::string before;
  std::string after;
};

/// The differences of two YAML documents, in their order. Values are compared as they are written;
/// a map whose keys are the same in another order differs as a whole. @throws InputError when one
/// is no YAML.
std::vector<Difference> differences(std::string_view before, std::string_view after);

}  // namespace scree
