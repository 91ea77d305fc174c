#pragma once

/// The targets of fuzzing: the readers of users' files, one target each. A target reads one file
/// and either takes it or refuses it by an InputError; whatever else it throws, and an end of the
/// program, is a find.

#include <filesystem>
#include <span>
#include <string_view>

namespace scree::fuzz {

struct Target {
  std::string_view name;
  std::string_view ending;  ///< of the names of its files
  /// @throws InputError when the file is refused
  void (*read)(const std::filesystem::path& file);
};

std::span<const Target> targets();

}  // namespace scree::fuzz
