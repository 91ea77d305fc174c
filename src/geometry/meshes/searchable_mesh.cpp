#include "scree/geometry/meshes/searchable_mesh.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "tree_builder.hpp"

namespace scree {
namespace {

using Edge = TriangleMesh::Edge;
using Node = TriangleTree::Node;

/// The block begins with it.
struct alignas(SearchableMesh::kAlignment) Header {
  MeshSummary summary;
  Box3 box;
  std::int64_t bytes;  ///< of the whole block
  std::int64_t n_facets, n_nodes, n_vertices, n_edges, n_neighbours;
};

// Ranks share these bytes: nothing in them may point elsewhere.
static_assert(std::is_trivially_destructible_v<Header> && std::is_trivially_destructible_v<Facet>);
static_assert(std::is_trivially_destructible_v<Edge> && std::is_trivially_destructible_v<Node>);

/// Where the arrays of a block are, one behind the other.
struct Layout {
  explicit Layout(const Header& header)
      : facets(sizeof(Header)),
        nodes(after<Facet>(facets, header.n_facets)),
        vertices(after<Node>(nodes, header.n_nodes)),
        edges(after<Vec3>(vertices, header.n_vertices)),
        neighbours(after<Edge>(edges, header.n_edges)),
        neighbours_begin(after<std::int32_t>(neighbours, header.n_neighbours)),
        number(after<std::int32_t>(neighbours_begin, header.n_vertices + 1)),
        end(after<std::int32_t>(number, header.n_facets)) {}

  std::size_t facets, nodes, vertices, edges, neighbours, neighbours_begin, number, end;

 private:
  template <class T>
  static std::size_t after(std::size_t begin, std::int64_t n) {
    constexpr std::size_t kStep = SearchableMesh::kAlignment;
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(n);
    return (begin + bytes + kStep - 1) / kStep * kStep;
  }
};

Header header_of(const TriangleMesh& mesh, const BuiltTree& tree) {
  Header header{mesh, kNowhere, 0, 0, 0, 0, 0, 0};
  header.box = {mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& p : mesh.vertices) {
    header.box = {header.box.low.cwiseMin(p), header.box.high.cwiseMax(p)};
  }
  header.n_facets = std::ssize(mesh.triangles);
  header.n_nodes = std::ssize(tree.nodes);
  header.n_vertices = std::ssize(mesh.vertices);
  header.n_edges = std::ssize(mesh.edges);
  header.n_neighbours = std::ssize(mesh.neighbours);
  header.bytes = static_cast<std::int64_t>(Layout(header).end);
  return header;
}

/// Places of triangles, vertices and edges in the block: by their first use along the tree's order.
class Places {
 public:
  Places(const TriangleMesh& mesh, const std::vector<std::int32_t>& order)
      : mesh_(mesh),
        order_(order),
        triangle_(order.size(), -1),
        vertex_(mesh.vertices.size(), -1),
        edge_(mesh.edges.size(), -1) {
    std::int32_t n_triangles = 0;
    std::int32_t n_vertices = 0;
    std::int32_t n_edges = 0;
    for (const std::int32_t t : order) {
      triangle_[t] = n_triangles++;
      for (const std::int32_t v : mesh.triangles[t]) {
        if (vertex_[v] < 0) vertex_[v] = n_vertices++;
      }
      for (const std::int32_t e : mesh.edges_of[t]) {
        if (edge_[e] < 0) edge_[e] = n_edges++;
      }
    }
  }

  void put_facets(std::span<Facet> facets) const {
    for (std::size_t k = 0; k < facets.size(); ++k) facets[k] = facet_of(order_[k]);
  }
  void put_vertices(std::span<Vec3> vertices) const {
    for (std::size_t v = 0; v < vertex_.size(); ++v) vertices[vertex_[v]] = mesh_.vertices[v];
  }
  void put_edges(std::span<Edge> edges) const {
    for (std::size_t e = 0; e < edge_.size(); ++e) {
      Edge own = mesh_.edges[e];
      own.start = vertex_[own.start];
      own.end = vertex_[own.end];
      own.left = triangle_[own.left];
      if (own.right >= 0) own.right = triangle_[own.right];
      edges[edge_[e]] = own;
    }
  }
  void put_neighbours(std::span<std::int32_t> begin, std::span<std::int32_t> neighbours) const {
    std::vector<std::int32_t> vertex_at(vertex_.size());
    for (std::size_t v = 0; v < vertex_.size(); ++v) {
      vertex_at[vertex_[v]] = static_cast<std::int32_t>(v);
    }
    std::size_t n = 0;
    for (std::size_t v = 0; v < vertex_at.size(); ++v) {
      begin[v] = static_cast<std::int32_t>(n);
      for (const std::int32_t other : mesh_.neighbours_of(vertex_at[v])) {
        neighbours[n++] = vertex_[other];
      }
    }
    begin.back() = static_cast<std::int32_t>(n);
  }

 private:
  Facet facet_of(std::int32_t triangle) const {
    Facet facet{};
    facet.normal = mesh_.normals[triangle];
    facet.face = mesh_.face_of[triangle];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t vertex = mesh_.triangles[triangle][k];
      const std::int32_t edge = mesh_.edges_of[triangle][k];
      facet.corners[k] = mesh_.vertices[vertex];
      facet.vertices[k] = vertex_[vertex];
      facet.edges[k] = edge_[edge];
      facet.bends[k] = mesh_.edges[edge].bend;
      if (mesh_.is_corner[vertex] != 0) facet.flags |= static_cast<std::uint8_t>(1U << k);
      if (is_gentle(mesh_.edges[edge])) facet.flags |= static_cast<std::uint8_t>(8U << k);
    }
    return facet;
  }
  bool is_gentle(const Edge& edge) const {
    if (edge.right < 0) return false;
    const Vec3& left = mesh_.normals[edge.left];
    const Vec3& right = mesh_.normals[edge.right];
    const bool agree = edge.bend != TriangleMesh::Bend::flat || left.cross(right).norm() <= 1e-7;
    return agree && left.dot(right) >= 0.5;
  }

  const TriangleMesh& mesh_;
  const std::vector<std::int32_t>& order_;
  std::vector<std::int32_t> triangle_;
  std::vector<std::int32_t> vertex_;
  std::vector<std::int32_t> edge_;
};

/// The array of @p n values at @p at, as they are when nobody has set them.
template <class T>
std::span<T> fresh(std::byte* block, std::size_t at, std::int64_t n) {
  T* const begin = reinterpret_cast<T*>(block + at);
  std::uninitialized_default_construct_n(begin, n);
  return {begin, static_cast<std::size_t>(n)};
}

SharedBytes pack(const TriangleMesh& mesh) {
  const BuiltTree tree = tree_over(mesh);
  const Header header = header_of(mesh, tree);
  constexpr std::align_val_t kAligned{SearchableMesh::kAlignment};
  auto* const block =
      static_cast<std::byte*>(::operator new(static_cast<std::size_t>(header.bytes), kAligned));
  SharedBytes held(
      block, [](const std::byte* b) { ::operator delete(const_cast<std::byte*>(b), kAligned); });
  const Layout at(header);
  new (block) Header(header);
  const Places places(mesh, tree.order);
  places.put_facets(fresh<Facet>(block, at.facets, header.n_facets));
  places.put_vertices(fresh<Vec3>(block, at.vertices, header.n_vertices));
  places.put_edges(fresh<Edge>(block, at.edges, header.n_edges));
  places.put_neighbours(fresh<std::int32_t>(block, at.neighbours_begin, header.n_vertices + 1),
                        fresh<std::int32_t>(block, at.neighbours, header.n_neighbours));
  std::ranges::copy(tree.nodes, fresh<Node>(block, at.nodes, header.n_nodes).begin());
  std::ranges::copy(tree.order, fresh<std::int32_t>(block, at.number, header.n_facets).begin());
  return held;
}

const Header& header_of(const std::byte* block) {
  return *std::launder(reinterpret_cast<const Header*>(block));
}

template <class T>
std::span<const T> span_in(const std::byte* block, std::size_t at, std::int64_t n) {
  return {std::launder(reinterpret_cast<const T*>(block + at)), static_cast<std::size_t>(n)};
}

PackedMesh mesh_in(const std::byte* block) {
  const Header& header = header_of(block);
  const Layout at(header);
  return {header.summary,
          header.box,
          span_in<Vec3>(block, at.vertices, header.n_vertices),
          span_in<Facet>(block, at.facets, header.n_facets),
          span_in<Edge>(block, at.edges, header.n_edges),
          span_in<std::int32_t>(block, at.neighbours, header.n_neighbours),
          span_in<std::int32_t>(block, at.neighbours_begin, header.n_vertices + 1),
          span_in<std::int32_t>(block, at.number, header.n_facets)};
}

}  // namespace

SearchableMesh::SearchableMesh(const TriangleMesh& own) : SearchableMesh(pack(own)) {}

SearchableMesh::SearchableMesh(SharedBytes packed)
    : memory_(std::move(packed)),
      mesh(mesh_in(memory_.get())),
      tree(mesh.facets, span_in<Node>(memory_.get(), Layout(header_of(memory_.get())).nodes,
                                      header_of(memory_.get()).n_nodes)) {}

std::span<const std::byte> SearchableMesh::packed() const {
  return {memory_.get(), static_cast<std::size_t>(header_of(memory_.get()).bytes)};
}

}  // namespace scree
