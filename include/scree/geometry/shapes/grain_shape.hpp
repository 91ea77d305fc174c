#pragma once

/// Shapes of grains as a configuration says them: each of any size, taken as it stands or scaled to
/// a radius, that of the ball of the same volume. Which there are: all_grain_shapes.hpp.

#include <string_view>

#include "scree/base/copy_on_write.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class Declaration;
struct AnyGrainShape;
struct ClumpSpec;
struct MeshPolyhedron;

/// Any shape of a grain; a fresh one is a ball.
using GrainShape = CopyOnWrite<AnyGrainShape>;

/// Declares the key `shape`: a ball where it is not given.
void declare_shape(Declaration& d, GrainShape& shape, std::string_view help);

/// The place of the body's frame in the one in which a configuration tells of @p shape, m.
Pose frame_of(const GrainShape& shape);

/// The polyhedron that @p shape is, to be changed; nullptr for another shape.
MeshPolyhedron* mesh_of(GrainShape& shape);

/// The clump that @p shape is, to be changed; nullptr for another shape.
ClumpSpec* clump_spec_of(GrainShape& shape);

bool is_ball(const GrainShape& shape);

/// The radius of the ball of the volume that @p shape has as it stands, m; 0 for one without a
/// size, or a faulty one.
double own_radius(const GrainShape& shape);

/// @p shape with the volume of a ball of @p radius, m.
Shape of_size(const GrainShape& shape, double radius);

/// The radii of the least ball that holds @p shape and of the largest inside it, over that of the
/// ball of its volume.
double bounding_ratio(const GrainShape& shape);
double inscribed_ratio(const GrainShape& shape);

}  // namespace scree
