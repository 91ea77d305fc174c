#include "topology.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "planar_faces.hpp"

namespace scree {
namespace {

using Bend = TriangleMesh::Bend;
using Edge = TriangleMesh::Edge;

constexpr double kOnLine = 1e-7;     // of the extent: the rounding of single precision
constexpr double kOneNormal = 1e-7;  // sine: the same
constexpr double kStraight = 1e-3;   // sine: rounding turns short edges by some 1e-4
constexpr std::int32_t kNoSide = -1;

/// Side k of triangle t is 3 t + k: from its corner k to the next.
struct Side {
  std::uint64_t ends;  ///< both vertices, the lower one first
  std::int32_t side;
};

std::int32_t start_of(const TriangleMesh& mesh, std::int32_t side) {
  return mesh.triangles[side / 3][side % 3];
}

std::int32_t end_of(const TriangleMesh& mesh, std::int32_t side) {
  return mesh.triangles[side / 3][(side % 3 + 1) % 3];
}

/// All sides, those between the same vertices beside each other.
std::vector<Side> sorted_sides(const TriangleMesh& mesh) {
  std::vector<Side> sides(3 * mesh.triangles.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const auto side = static_cast<std::int32_t>(k);
    const auto [low, high] = std::minmax({start_of(mesh, side), end_of(mesh, side)});
    sides[k] = {static_cast<std::uint64_t>(low) << 32U | static_cast<std::uint64_t>(high), side};
  }
  std::ranges::sort(sides, [](const Side& a, const Side& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.side < b.side;
  });
  return sides;
}

/// The side that runs each side the other way, where there is exactly one and no third between the
/// same vertices; kNoSide elsewhere. Counts these.
std::vector<std::int32_t> partners(const TriangleMesh& mesh, MeshDiagnosis& diagnosis) {
  const std::vector<Side> sides = sorted_sides(mesh);
  std::vector<std::int32_t> partner(sides.size(), kNoSide);
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].ends == sides[begin].ends) ++end;
    const std::int32_t one = sides[begin].side;
    const std::int32_t other = sides[end - 1].side;
    if (end - begin == 1) {
      ++diagnosis.open_edges;
    } else if (end - begin > 2) {
      ++diagnosis.crowded_edges;
    } else if (start_of(mesh, one) == start_of(mesh, other)) {
      ++diagnosis.flipped_edges;
    } else {
      partner[one] = other;
      partner[other] = one;
    }
  }
  return partner;
}

/// Other ends of the edges of each vertex, sorted and each once.
void add_neighbours(TriangleMesh& mesh) {
  std::vector<std::int32_t> begin(mesh.vertices.size() + 1, 0);
  for (const Edge& edge : mesh.edges) {
    ++begin[edge.start + 1];
    ++begin[edge.end + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> ends(begin.back());
  std::vector<std::int32_t> next = begin;
  for (const Edge& edge : mesh.edges) {
    ends[next[edge.start]++] = edge.end;
    ends[next[edge.end]++] = edge.start;
  }
  mesh.neighbours_begin.assign(1, 0);
  mesh.neighbours.reserve(ends.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto first = ends.begin() + begin[v];
    const auto last = ends.begin() + begin[v + 1];
    std::sort(first, last);
    mesh.neighbours.insert(mesh.neighbours.end(), first, std::unique(first, last));
    mesh.neighbours_begin.push_back(static_cast<std::int32_t>(mesh.neighbours.size()));
  }
}

/// The corner of @p triangle that @p edge has not.
const Vec3& apex(const TriangleMesh& mesh, std::int32_t triangle, const Edge& edge) {
  std::int32_t other = mesh.triangles[triangle][0];
  for (const std::int32_t i : mesh.triangles[triangle]) {
    if (i != edge.start && i != edge.end) other = i;
  }
  return mesh.vertices[other];
}

/// Whether two triangles lie on each other, to single precision: with a bend of half a turn.
bool is_folded(const TriangleMesh& mesh, const Edge& edge) {
  const Vec3& start = mesh.vertices[edge.start];
  const Vec3& left = mesh.normals[edge.left];
  const Vec3& right = mesh.normals[edge.right];
  const double height = std::max(std::abs(left.dot(apex(mesh, edge.right, edge) - start)),
                                 std::abs(right.dot(apex(mesh, edge.left, edge) - start)));
  return left.dot(right) < 0.0 && height <= kOnLine * mesh.diagnosis.extent;
}

void measure_bend(const TriangleMesh& mesh, Edge& edge) {
  if (edge.right < 0) return;
  const Vec3 along = (mesh.vertices[edge.end] - mesh.vertices[edge.start]).normalized();
  const double sine = along.dot(mesh.normals[edge.left].cross(mesh.normals[edge.right]));
  const bool agree =
      std::abs(sine) <= kOneNormal && mesh.normals[edge.left].dot(mesh.normals[edge.right]) > 0.0;
  if (agree || mesh.face_of[edge.left] == mesh.face_of[edge.right]) {
    edge.bend = Bend::flat;
  } else if (sine >= 0.0 || is_folded(mesh, edge)) {
    edge.bend = Bend::convex;
  } else {
    edge.bend = Bend::concave;
  }
}

/// Whether @p vertex is on the straight line between @p one and @p other, to single precision.
bool is_between(const TriangleMesh& mesh, std::int32_t vertex, std::int32_t one,
                std::int32_t other) {
  const Vec3 to_one = mesh.vertices[one] - mesh.vertices[vertex];
  const Vec3 to_other = mesh.vertices[other] - mesh.vertices[vertex];
  const double twice_area = to_one.cross(to_other).norm();
  return to_one.dot(to_other) < 0.0 && twice_area <= kStraight * to_one.norm() * to_other.norm() &&
         twice_area <= kOnLine * mesh.diagnosis.extent * (to_one - to_other).norm();
}

/// Bent edges at a vertex: other ends of the first two, and whether there are more.
struct BentEdges {
  std::array<std::int32_t, 2> ends{-1, -1};
  bool more = false;

  void add(std::int32_t end) {
    if (end == ends[0] || end == ends[1]) return;
    more = ends[1] >= 0;
    if (!more) ends[ends[0] < 0 ? 0 : 1] = end;
  }
};

void add_corners(TriangleMesh& mesh) {
  std::vector<BentEdges> bent(mesh.vertices.size());
  for (const Edge& edge : mesh.edges) {
    if (edge.bend == Bend::flat) continue;
    bent[edge.start].add(edge.end);
    bent[edge.end].add(edge.start);
  }
  mesh.is_corner.resize(mesh.vertices.size());
  for (std::size_t v = 0; v < bent.size(); ++v) {
    const auto [one, other] = bent[v].ends;
    const bool straight =
        !bent[v].more && other >= 0 && is_between(mesh, static_cast<std::int32_t>(v), one, other);
    mesh.is_corner[v] = one < 0 || straight ? 0 : 1;
  }
}

}  // namespace

void add_edges(TriangleMesh& mesh) {
  const std::vector<std::int32_t> partner = partners(mesh, mesh.diagnosis);
  const auto n_open = static_cast<std::size_t>(std::ranges::count(partner, kNoSide));
  mesh.edges.reserve((partner.size() + n_open) / 2);
  mesh.edges_of.resize(mesh.triangles.size());
  for (std::size_t k = 0; k < partner.size(); ++k) {
    const auto side = static_cast<std::int32_t>(k);
    if (partner[k] != kNoSide && partner[k] < side) continue;  // made with its partner
    const auto edge = static_cast<std::int32_t>(mesh.edges.size());
    const std::int32_t right = partner[k] == kNoSide ? -1 : partner[k] / 3;
    mesh.edges.push_back({start_of(mesh, side), end_of(mesh, side), side / 3, right, Bend::open});
    mesh.edges_of[k / 3][k % 3] = edge;
    if (right >= 0) mesh.edges_of[right][partner[k] % 3] = edge;
  }
  add_neighbours(mesh);
  const MeshDiagnosis& found = mesh.diagnosis;
  mesh.closed = found.open_edges + found.flipped_edges + found.crowded_edges == 0;
}

void add_bends(TriangleMesh& mesh) {
  add_planar_faces(mesh);
  for (Edge& edge : mesh.edges) measure_bend(mesh, edge);
  add_corners(mesh);
}

}  // namespace scree
