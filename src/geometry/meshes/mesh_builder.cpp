#include "mesh_builder.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "polygon.hpp"
#include "scree/base/check.hpp"

namespace scree {
namespace {

constexpr std::int64_t kMostPoints = std::numeric_limits<std::int32_t>::max();

}  // namespace

void refuse_mesh_file(const std::filesystem::path& file, std::string_view problem,
                      std::string_view remedy) {
  throw InputError(fmt::format("{}: {}; {}", file.string(), problem, remedy));
}

void refuse_mesh_file(const std::filesystem::path& file, const MeshPlace& place,
                      std::string_view problem, std::string_view remedy) {
  refuse_mesh_file(file, fmt::format("{} {}: {}", place.what, place.number, problem), remedy);
}

void MeshBuilder::add_point(const Vec3& point, const MeshPlace& place) {
  if (!point.allFinite()) {
    refuse_mesh_file(
        file_, place,
        fmt::format("the point ({}, {}, {}) is not finite", point.x(), point.y(), point.z()),
        "correct or remove it");
  }
  if (n_points() == kMostPoints) {
    refuse_mesh_file(file_, place, fmt::format("more than {} points", kMostPoints),
                     "give a coarser mesh");
  }
  mesh_.points.push_back(point);
}

void MeshBuilder::add_face(std::span<const std::int64_t> corners, const MeshPlace& place) {
  if (corners.size() < 3) {
    refuse_mesh_file(file_, place, fmt::format("a face of {} corners", corners.size()),
                     "give three or more");
  }
  for (const std::int64_t corner : corners) {
    if (corner < 0 || corner >= kMostPoints) {
      refuse_mesh_file(file_, place, "a corner of the face is no point of the file",
                       "give the whole file, or correct the face");
    }
    if (corner > highest_) {
      highest_ = corner;
      place_of_highest_ = place;
    }
  }
  const auto number = [&](std::size_t k) { return static_cast<std::int32_t>(corners[k]); };
  if (corners.size() > 3) fans_.push_back({mesh_.triangles.size(), corners.size() - 2, place});
  for (std::size_t k = 2; k < corners.size(); ++k) {
    mesh_.triangles.push_back({number(0), number(k - 1), number(k)});
  }
}

void MeshBuilder::cut(const Fan& fan) {
  const auto triangles = std::span(mesh_.triangles).subspan(fan.first, fan.count);
  std::vector<std::int32_t> numbers = {triangles[0][0], triangles[0][1]};
  for (const auto& triangle : triangles) numbers.push_back(triangle[2]);
  std::vector<Vec3> corners;
  for (const std::int32_t number : numbers) corners.push_back(mesh_.points[number]);
  const std::vector<std::array<std::int32_t, 3>> cut = triangulated(corners);
  if (cut.size() != triangles.size()) {
    refuse_mesh_file(
        file_, fan.place,
        fmt::format("a face of {} corners that crosses itself, or is too winding", corners.size()),
        "triangulate the mesh");
  }
  for (std::size_t k = 0; k < cut.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i) triangles[k][i] = numbers[cut[k][i]];
  }
}

MeshFile MeshBuilder::finish() {
  if (highest_ >= n_points()) {
    refuse_mesh_file(file_, place_of_highest_,
                     fmt::format("a face has the point {} (counted from 0), but there are {}",
                                 highest_, n_points()),
                     "give the whole file, or correct the face");
  }
  for (const Fan& fan : fans_) cut(fan);
  return std::move(mesh_);
}

}  // namespace scree
