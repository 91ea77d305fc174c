#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>

#include "binary_numbers.hpp"
#include "mesh_formats.hpp"
#include "mesh_words.hpp"

namespace scree {
namespace {

/// A triangle of a binary file has its normal and three corners in single precision, then two
/// bytes. The least byte of a number comes first.
constexpr std::size_t kStlHead = 84;
constexpr std::size_t kStlTriangle = 50;

std::size_t stl_count(std::string_view bytes) {
  return number_at<std::uint32_t>(bytes.data() + 80, std::endian::little);
}

bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < kStlHead) return false;
  if (bytes.size() == kStlHead + kStlTriangle * stl_count(bytes)) return true;
  return bytes.substr(0, kStlHead + kStlTriangle).find('\0') != std::string_view::npos;
}

/// Adds a triangle whose corners are the last three points.
void add_last_three(MeshBuilder& mesh, const MeshPlace& place) {
  const std::int64_t n = mesh.n_points();
  mesh.add_face(std::array{n - 3, n - 2, n - 1}, place);
}

MeshFile read_binary_stl(const std::filesystem::path& file, std::string_view bytes) {
  const std::size_t n = stl_count(bytes);
  if (bytes.size() < kStlHead + kStlTriangle * n) {
    refuse_mesh_file(
        file,
        fmt::format("ends after {} of {} triangles", (bytes.size() - kStlHead) / kStlTriangle, n),
        "give the whole file");
  }
  MeshBuilder mesh(file);
  for (std::size_t triangle = 0; triangle < n; ++triangle) {
    const MeshPlace place{"triangle", static_cast<std::int64_t>(triangle) + 1};
    const char* corner = bytes.data() + kStlHead + kStlTriangle * triangle + 12;
    for (int k = 0; k < 3; ++k, corner += 12) {
      const auto coordinate = [corner](int i) -> double {
        return number_at<float>(corner + 4 * i, std::endian::little);
      };
      mesh.add_point({coordinate(0), coordinate(1), coordinate(2)}, place);
    }
    add_last_three(mesh, place);
  }
  return mesh.finish();
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

MeshFile read_text_stl(const std::filesystem::path& file, std::string_view bytes) {
  MeshWords words(file, bytes);
  if (!words.next_line() || lower_case(words.word()) != "solid") {
    refuse_mesh_file(file, "begins neither with the word solid nor as a binary STL file does",
                     "give an STL file");
  }
  MeshBuilder mesh(file);
  std::int64_t first = 0;  // point of the facet
  const auto expect_corners = [&](std::int64_t n) {
    if (mesh.n_points() - first == n) return;
    words.refuse(fmt::format("a facet of {} vertices", mesh.n_points() - first),
                 "give three to each, and the whole file");
  };
  std::string keyword;
  while (words.next_line()) {
    keyword = lower_case(words.word());
    if (keyword == "vertex") {
      mesh.add_point(words.point(), words.place());
    } else if (keyword == "facet") {
      expect_corners(0);
    } else if (keyword == "endfacet") {
      expect_corners(3);
      add_last_three(mesh, words.place());
      first = mesh.n_points();
    }
  }
  expect_corners(0);
  if (keyword != "endsolid") words.refuse("ends without the word endsolid", "give the whole file");
  return mesh.finish();
}

}  // namespace

MeshFile read_stl(const std::filesystem::path& file, std::string_view bytes) {
  return is_binary_stl(bytes) ? read_binary_stl(file, bytes) : read_text_stl(file, bytes);
}

}  // namespace scree
