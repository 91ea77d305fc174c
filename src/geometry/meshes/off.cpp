#include <fmt/format.h>

#include <vector>

#include "mesh_formats.hpp"
#include "mesh_words.hpp"

namespace scree {
namespace {

/// The next number of the head, which may stand in the same line or the next one.
std::int64_t off_count(const std::filesystem::path& file, MeshWords& words, std::string_view of) {
  std::string_view count = words.word();
  if (count.empty() && words.next_line()) count = words.word();
  std::int64_t n = 0;
  if (!read_whole(count, n) || n < 0) {
    refuse_mesh_file(file, fmt::format("the number of {} is missing", of),
                     "give an OFF file as text");
  }
  return n;
}

}  // namespace

MeshFile read_off(const std::filesystem::path& file, std::string_view bytes) {
  MeshWords words(file, bytes);
  const std::string_view kind = words.next_line() ? words.word() : std::string_view();
  if (!kind.ends_with("OFF")) {
    refuse_mesh_file(file, "does not begin with the word OFF", "give an OFF file");
  }
  if (kind.find_first_of("4n") != std::string_view::npos) {
    words.refuse(fmt::format("{} has points that are not of three coordinates", kind),
                 "give an OFF file in space");
  }
  const std::int64_t n_points = off_count(file, words, "vertices");
  const std::int64_t n_faces = off_count(file, words, "faces");
  MeshBuilder mesh(file);
  while (mesh.n_points() < n_points) {
    if (!words.next_line()) {
      refuse_mesh_file(file, fmt::format("ends after {} of {} vertices", mesh.n_points(), n_points),
                       "give the whole file");
    }
    mesh.add_point(words.point(), words.place());
  }
  std::vector<std::int64_t> corners;
  for (std::int64_t face = 0; face < n_faces; ++face) {
    if (!words.next_line()) {
      refuse_mesh_file(file, fmt::format("ends after {} of {} faces", face, n_faces),
                       "give the whole file");
    }
    corners.clear();
    for (std::int64_t left = words.whole(); left > 0; --left) corners.push_back(words.whole());
    mesh.add_face(corners, words.place());
  }
  return mesh.finish();
}

}  // namespace scree
