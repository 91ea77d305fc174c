#include "config_hulls.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/clump.hpp"
#include "scree/geometry/shapes/mesh.hpp"
#include "scree/geometry/shapes/polyhedron.hpp"
#include "scree/io/state/mesh_table.hpp"
#include "scree/io/state/shape_tables.hpp"

namespace scree {
namespace {

/// Calls `visit(key, shape)` for each shape of the configuration, in its order.
template <class Visit>
void for_each_shape(RunConfig& config, const Visit& visit) {
  const auto look_at_kind = [&visit](const std::string& key, GrainKind& kind) {
    visit(key, kind.shape);
    for (Population& one : kind.populations) visit(key + ".populations." + one.name, one.shape);
  };
  for (BodyGroup& group : config.bodies) look_at_kind("bodies." + group.name, group);
  for (InsertionSpec& one : config.insertions) look_at_kind("insertions." + one.name, one);
  for (ToolSpec& tool : config.tools) visit("tools." + tool.name, tool.shape);
}

/// Calls `visit(key, MeshPolyhedron&)` for each polyhedron of the configuration, in its order.
template <class Visit>
void for_each_mesh(RunConfig& config, const Visit& visit) {
  for_each_shape(config, [&visit](const std::string& of, auto& shape) {
    if (MeshPolyhedron* mesh = mesh_of(shape)) visit(of + ".shape.file", *mesh);
  });
}

/// Calls `visit(key, MeshSpec&)` for each surface of triangles of the configuration, in its order.
template <class Visit>
void for_each_surface(RunConfig& config, const Visit& visit) {
  for (ToolSpec& tool : config.tools) {
    if (MeshSpec* mesh = mesh_spec_of(tool.shape))
      visit("tools." + tool.name + ".shape.file", *mesh);
  }
}

/// Calls `visit(key, ClumpSpec&)` for each clump of the configuration, in its order.
template <class Visit>
void for_each_clump(RunConfig& config, const Visit& visit) {
  for_each_shape(config, [&visit](const std::string& of, auto& shape) {
    if (ClumpSpec* clump = clump_spec_of(shape)) visit(of + ".shape.parts", *clump);
  });
}

void number_clumps(RunConfig& config, ShapeLibrary& shapes) {
  for_each_clump(config, [&shapes](const std::string&, ClumpSpec& clump) {
    clump.handle = shapes.add(*clump.own->clumps()[0], *clump.own);
  });
}

void number_meshes(RunConfig& config, ShapeLibrary& shapes) {
  for_each_surface(config, [&shapes](const std::string&, MeshSpec& mesh) {
    mesh.handle = shapes.add(mesh.surface);
    mesh.surface = shapes.meshes()[mesh.handle];  // one of two that are alike
  });
}

}  // namespace

void number_shapes(RunConfig& config) {
  ShapeLibrary shapes;
  for_each_mesh(config, [&shapes](const std::string&, MeshPolyhedron& mesh) {
    mesh.handle = shapes.add(mesh.hull);
  });
  number_clumps(config, shapes);
  number_meshes(config, shapes);
  config.shapes = std::make_shared<const ShapeLibrary>(std::move(shapes));
}

void adopt_shapes(RunConfig& config, const std::vector<StateGroup>& tables) {
  ShapeLibrary shapes = library_of(tables);
  for_each_mesh(config, [&shapes](const std::string& key, const MeshPolyhedron& mesh) {
    if (shapes.handle_of(*mesh.hull) == mesh.handle) return;
    throw InputError(fmt::format(
        "{}: {} holds another polyhedron than the checkpoint has of it: a run that goes "
        "on keeps its shapes; put the file back as it was, or begin a new run",
        key, mesh.file.string()));
  });
  for_each_clump(config, [&shapes](const std::string& key, const ClumpSpec& clump) {
    if (shapes.add(*clump.own->clumps()[0], *clump.own) == clump.handle) return;
    throw InputError(fmt::format(
        "{}: the checkpoint has other parts: a run that goes on keeps its shapes; put them back as "
        "they were, or begin a new run",
        key));
  });
  number_meshes(config, shapes);
  const std::int32_t other = other_mesh(shapes, tables);
  for_each_surface(config, [other](const std::string& key, const MeshSpec& mesh) {
    if (mesh.handle != other) return;
    throw InputError(fmt::format(
        "{}: {} holds another mesh than the checkpoint was written with: a run that goes on keeps "
        "its shapes; put the file back as it was, or begin a new run",
        key, mesh.file.string()));
  });
  config.shapes = std::make_shared<const ShapeLibrary>(std::move(shapes));
}

}  // namespace scree
