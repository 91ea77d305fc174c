#pragma once

/// A mesh and its tree in one block of memory, its own or one that others hold, too.

#include <cstddef>
#include <memory>
#include <span>

#include "scree/geometry/meshes/packed_mesh.hpp"
#include "scree/geometry/meshes/triangle_tree.hpp"

namespace scree {

/// Memory that is freed when nobody holds it any more.
using SharedBytes = std::shared_ptr<const std::byte>;

class SearchableMesh {
 public:
  /// Alignment of the block, bytes.
  static constexpr std::size_t kAlignment = alignof(Facet);

  explicit SearchableMesh(const TriangleMesh& own);
  /// From a copy of the packed() bytes of a mesh, which nobody changes any more.
  /// @pre they begin at a multiple of kAlignment
  explicit SearchableMesh(SharedBytes packed);
  SearchableMesh(const SearchableMesh&) = delete;
  SearchableMesh& operator=(const SearchableMesh&) = delete;

  std::span<const std::byte> packed() const;

 private:
  SharedBytes memory_;

 public:
  const PackedMesh mesh;
  const TriangleTree tree;
};

}  // namespace scree
