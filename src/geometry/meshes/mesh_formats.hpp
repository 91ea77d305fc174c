#pragma once

/// One reader a format. Each takes the bytes of the file @p file, whose name messages have, and
/// throws InputError for what it cannot take.

#include <filesystem>
#include <string_view>

#include "mesh_file.hpp"

namespace scree {

/// The word OFF (after letters of what stands beside coordinates: C, N, ST), the numbers of
/// vertices and faces, then a vertex a line and a face a line.
MeshFile read_off(const std::filesystem::path& file, std::string_view bytes);

/// Text, or binary: 80 bytes, the number of triangles as 32 bits, and 50 bytes each. Which of
/// them is told by the size and by bytes that are no text: binary files may begin with "solid".
MeshFile read_stl(const std::filesystem::path& file, std::string_view bytes);

/// Lines `v x y z` and `f a b c ...`; corners are a, a/b, a//c or a/b/c, counted from 1, or below 0
/// from the end of the points so far.
MeshFile read_obj(const std::filesystem::path& file, std::string_view bytes);

/// Text or binary of either order of bytes; x, y, z of `vertex` and the list `vertex_indices` (or
/// `vertex_index`) of `face`. Other elements and properties are passed over.
MeshFile read_ply(const std::filesystem::path& file, std::string_view bytes);

}  // namespace scree
