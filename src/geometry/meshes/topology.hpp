#pragma once

#include "scree/geometry/meshes/triangle_mesh.hpp"

namespace scree {

/// Pairs the sides of the triangles: sets edges (without their bends), edges_of, neighbours, closed
/// and the counts of edges in the diagnosis. @pre vertices and triangles are set
void add_edges(TriangleMesh& mesh);

/// Joins triangles to planar faces, and measures the bends of the edges: sets face_of, the bends
/// of edges, and is_corner. @pre normals and diagnosis.extent are set, and add_edges is done
void add_bends(TriangleMesh& mesh);

}  // namespace scree
