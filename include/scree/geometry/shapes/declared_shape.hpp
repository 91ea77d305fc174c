#pragma once

/// Shapes as a configuration says them: most are what a body holds (shape_list.hpp), some come from
/// a file. Which there are: all_declared_shapes.hpp.

#include <string_view>

#include "scree/base/copy_on_write.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class Declaration;
struct AnyDeclaredShape;
struct ClumpSpec;
struct MeshPolyhedron;
struct MeshSpec;

/// Any shape as a configuration says it; a fresh one is a ball of radius 0.
using DeclaredShape = CopyOnWrite<AnyDeclaredShape>;

/// Declares the key `shape`, which must be given.
void declare_shape(Declaration& d, DeclaredShape& shape, std::string_view help);

/// The body's hold of @p shape. @pre what is from files is in a shape library.
Shape as_shape(const DeclaredShape& shape);

/// The place of the body's frame in the one in which a configuration tells of @p shape, m.
Pose frame_of(const DeclaredShape& shape);

/// As of the body's hold (geometry/shapes/shape_queries.hpp), without a shape library.
double volume(const DeclaredShape& shape);
Vec3 inertia_per_mass(const DeclaredShape& shape);

/// The polyhedron that @p shape is, to be changed; nullptr for another shape.
MeshPolyhedron* mesh_of(DeclaredShape& shape);
/// The clump that @p shape is, to be changed; nullptr for another shape.
ClumpSpec* clump_spec_of(DeclaredShape& shape);
/// The surface of triangles that @p shape is, to be changed; nullptr for another shape.
MeshSpec* mesh_spec_of(DeclaredShape& shape);

}  // namespace scree
