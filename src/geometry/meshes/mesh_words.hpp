#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "mesh_builder.hpp"
#include "scree/base/math.hpp"

namespace scree {

/// Words of a mesh file, line by line; those after a # are left out.
class MeshWords {
 public:
  MeshWords(const std::filesystem::path& file, std::string_view text) : file_(file), rest_(text) {}

  /// Goes to the next line that says something; false at the end.
  bool next_line();
  /// The next word of the line; empty at its end.
  std::string_view word();
  /// The next word as a number. @throws InputError when it is none, or no whole one
  double real();
  std::int64_t whole();
  /// The next three words as a point.
  Vec3 point();

  MeshPlace place() const { return {"line", number_}; }
  /// The text that follows the line.
  std::string_view rest() const { return rest_; }
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) const;

 private:
  const std::filesystem::path& file_;
  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
};

/// @p text as a whole number. @return whether it is one
bool read_whole(std::string_view text, std::int64_t& value);

}  // namespace scree
