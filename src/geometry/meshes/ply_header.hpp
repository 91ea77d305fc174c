#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "mesh_words.hpp"

namespace scree {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// The use of a property for a mesh; `none` is passed over.
enum class PlyRole : std::uint8_t { x, y, z, corners, none };

struct PlyProperty {
  PlyType type;
  std::optional<PlyType> count;  ///< type of the number of values, of a list
  PlyRole role;
};

struct PlyElement {
  std::string_view name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;

  bool has(PlyRole role) const;
};

struct PlyHeader {
  std::optional<std::endian> binary;  ///< order of the bytes; none in a text
  std::vector<PlyElement> elements;
};

/// Reads from the first line of a file to the line end_header.
/// @throws InputError for what is no header, and where vertices lack coordinates or faces corners
PlyHeader read_ply_header(MeshWords& words);

}  // namespace scree
