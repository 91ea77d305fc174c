#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "mesh_file.hpp"

namespace scree {

/// Where something stands in a mesh file: "line 12", "vertex 3".
struct MeshPlace {
  std::string_view what;
  std::int64_t number;  ///< from 1
};

/// Refuses @p file for @p problem. @throws InputError, always
[[noreturn]] void refuse_mesh_file(const std::filesystem::path& file, std::string_view problem,
                                   std::string_view remedy);
[[noreturn]] void refuse_mesh_file(const std::filesystem::path& file, const MeshPlace& place,
                                   std::string_view problem, std::string_view remedy);

/// Takes points and faces as a reader finds them, and refuses those that cannot be.
class MeshBuilder {
 public:
  explicit MeshBuilder(const std::filesystem::path& file) : file_(file) {}

  std::int64_t n_points() const { return static_cast<std::int64_t>(mesh_.points.size()); }
  std::int64_t n_triangles() const { return static_cast<std::int64_t>(mesh_.triangles.size()); }

  /// @throws InputError when @p point is not finite
  void add_point(const Vec3& point, const MeshPlace& place);

  /// Adds the face of the points @p corners, counted from 0, which may come later in the file.
  /// @throws InputError when it has fewer than three, or one is below 0
  void add_face(std::span<const std::int64_t> corners, const MeshPlace& place);

  /// Faces from here on are of another group.
  void begin_group() { mesh_.groups.push_back(mesh_.triangles.size()); }

  /// The mesh. @throws InputError when a face has a corner that is no point, or crosses itself
  MeshFile finish();

 private:
  struct Fan;
  /// Cuts a face that is not convex otherwise than as a fan.
  void cut(const Fan& fan);

  const std::filesystem::path& file_;
  MeshFile mesh_;
  std::int64_t highest_ = -1;  ///< highest corner
  MeshPlace place_of_highest_{"line", 0};
  /// A face of more than three corners: its triangles in the mesh, fans about the first.
  struct Fan {
    std::size_t first;
    std::size_t count;
    MeshPlace place;
  };
  std::vector<Fan> fans_;
};

}  // namespace scree
