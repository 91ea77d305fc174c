#pragma once

#include <cstdint>
#include <vector>

namespace scree {

struct TriangleMesh;

/// The planar face of each triangle, named by its lowest triangle. Faces grow from their largest
/// triangle over edges of two triangles, by corners that are within 1e-7 of the extent of the plane
/// of what has grown so far: that plane is surer than those of small triangles, whose corners are
/// rounded, and the gentle bends of a fine round surface do not add up within a face. Time n log n.
/// @pre edges, edges_of, normals and diagnosis.extent are set
std::vector<std::int32_t> planar_faces(const TriangleMesh& mesh);

}  // namespace scree
