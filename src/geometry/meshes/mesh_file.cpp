#include "mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "mesh_builder.hpp"
#include "mesh_formats.hpp"

namespace scree {

MeshFile read_mesh(const std::filesystem::path& file, std::string_view bytes) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".off") return read_off(file, bytes);
  if (ending == ".stl") return read_stl(file, bytes);
  if (ending == ".obj") return read_obj(file, bytes);
  if (ending == ".ply") return read_ply(file, bytes);
  refuse_mesh_file(file, fmt::format("\"{}\" is no known kind of mesh", ending),
                   "allowed: .off, .stl, .obj and .ply");
}

}  // namespace scree
