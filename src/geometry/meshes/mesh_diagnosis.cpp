#include <fmt/format.h>

#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree {
namespace {

constexpr double kLikelyMillimetres = 50.0;  // m: no tool is that long

/// "1 edge", "3 edges".
std::string counted(std::int64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> warnings(const MeshSummary& mesh) {
  const MeshDiagnosis& found = mesh.diagnosis;
  const std::string of_all = fmt::format(" of {}", found.read);
  std::vector<std::string> sentences;
  if (found.degenerate > 0) {
    sentences.push_back(fmt::format(
        "{}{} without area left out, which may leave gaps; mesh the part anew to be rid of them",
        counted(found.degenerate, "triangle"), of_all));
  }
  if (found.duplicate > 0) {
    sentences.push_back(fmt::format(
        "{}{} between the corners of another left out; a thin plate needs a thickness or one layer "
        "of triangles",
        counted(found.duplicate, "triangle"), of_all));
  }
  if (found.flipped_edges > 0) {
    sentences.push_back(fmt::format(
        "{} between triangles that look to opposite sides; make the normals of the mesh "
        "consistent, so that all look outward",
        counted(found.flipped_edges, "edge")));
  }
  if (found.crowded_edges > 0) {
    sentences.push_back(fmt::format(
        "{} of more than two triangles; part the surfaces that meet there into meshes of their own",
        counted(found.crowded_edges, "edge")));
  }
  if (found.open_edges > 0) {
    sentences.push_back(fmt::format(
        "open: {} of one triangle alone, so that it is taken as a thin shell without a volume; "
        "close it if it is to be a solid",
        counted(found.open_edges, "edge")));
  }
  if (found.inward) {
    sentences.push_back(
        "closed, and its normals look inward: it is taken as a container, solid all around; turn "
        "the triangles if it is a body");
  }
  if (found.extent > kLikelyMillimetres) {
    sentences.push_back(fmt::format(
        "{:.4g} m long, which looks like millimetres: give scale: 1.0e-3", found.extent));
  }
  return sentences;
}

}  // namespace scree
