#include "clump_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <set>

#include "geometry/meshes/mesh_file.hpp"
#include "geometry/meshes/mesh_words.hpp"
#include "scree/geometry/shapes/all_part_shapes.hpp"

namespace scree {
namespace {

ClumpPart part_of_hull(const std::filesystem::path& file, std::span<const Vec3> points,
                       double scale, const std::string& name) {
  MeshPolyhedron polyhedron;
  polyhedron.file = file;
  polyhedron.scale = scale;
  polyhedron.hull = std::make_shared<const Hull>(hull_of(points, name));
  return {.shape = AnyPartShape(polyhedron), .position = Vec3::Zero(), .orientation = {}};
}

/// The vertices of a group's triangles, each once.
std::vector<Vec3> points_of_group(const MeshFile& mesh, std::size_t begin, std::size_t end) {
  std::set<std::int32_t> corners;
  for (std::size_t t = begin; t < end; ++t) {
    corners.insert(mesh.triangles[t].begin(), mesh.triangles[t].end());
  }
  std::vector<Vec3> points;
  for (const std::int32_t corner : corners) points.push_back(mesh.points[corner]);
  return points;
}

}  // namespace

std::vector<ClumpPart> parts_of_spheres(const std::filesystem::path& file, std::string_view bytes,
                                        double scale) {
  MeshWords words(file, bytes);
  std::vector<ClumpPart> parts;
  while (words.next_line()) {
    const Vec3 centre = words.point();
    const double radius = words.real();
    if (!centre.allFinite() || !std::isfinite(radius) || !(radius > 0.0) || !words.word().empty()) {
      words.refuse("is no ball", "give four finite numbers a line, x y z radius, the last above 0");
    }
    if (parts.size() == kMostParts) {
      words.refuse(fmt::format("more than {} balls", kMostParts), "give fewer");
    }
    parts.push_back({.shape = AnyPartShape(Sphere{scale * radius}),
                     .position = scale * centre,
                     .orientation = {}});
  }
  return parts;
}

std::vector<ClumpPart> parts_of_hulls(const std::filesystem::path& file, std::string_view bytes,
                                      double scale) {
  MeshFile mesh = read_mesh(file, bytes);
  if (mesh.groups.empty()) return {part_of_hull(file, mesh.points, scale, file.string())};
  std::vector<std::size_t> ends = mesh.groups;
  if (ends.front() > 0) ends.insert(ends.begin(), 0);
  ends.push_back(mesh.triangles.size());
  std::vector<ClumpPart> parts;
  for (std::size_t g = 0; g + 1 < ends.size(); ++g) {
    if (ends[g] == ends[g + 1]) continue;
    if (parts.size() == kMostParts) {
      throw InputError(
          fmt::format("{}: more than {} groups; give fewer", file.string(), kMostParts));
    }
    const std::vector<Vec3> points = points_of_group(mesh, ends[g], ends[g + 1]);
    parts.push_back(part_of_hull(file, points, scale,
                                 fmt::format("{}: group {}", file.string(), parts.size() + 1)));
  }
  return parts;
}

}  // namespace scree
