#include <fmt/format.h>

#include <vector>

#include "mesh_formats.hpp"
#include "mesh_words.hpp"

namespace scree {
namespace {

/// The point of the corner @p text, counted from 0.
std::int64_t obj_corner(const MeshWords& words, std::string_view text, std::int64_t n_points) {
  std::int64_t corner = 0;
  if (!read_whole(text.substr(0, text.find('/')), corner) || corner == 0) {
    words.refuse(fmt::format("\"{}\" is no corner of a face", text),
                 "give numbers of points from 1, or from -1 back from the last one");
  }
  return corner > 0 ? corner - 1 : n_points + corner;
}

}  // namespace

MeshFile read_obj(const std::filesystem::path& file, std::string_view bytes) {
  MeshWords words(file, bytes);
  MeshBuilder mesh(file);
  std::vector<std::int64_t> corners;
  while (words.next_line()) {
    const std::string_view keyword = words.word();
    if (keyword == "v") {
      mesh.add_point(words.point(), words.place());
    } else if (keyword == "g" || keyword == "o") {
      mesh.begin_group();
    } else if (keyword == "f") {
      corners.clear();
      for (auto text = words.word(); !text.empty(); text = words.word()) {
        if (text == "\\") {  // the line goes on in the next one
          words.next_line();
        } else {
          corners.push_back(obj_corner(words, text, mesh.n_points()));
        }
      }
      mesh.add_face(corners, words.place());
    }
  }
  return mesh.finish();
}

}  // namespace scree
