#pragma once

namespace scree {

struct TriangleMesh;

/// Joins triangles to planar faces: sets face_of, and gives triangles lower than 1e-7 of the extent
/// the normal of their face, since their own is nothing but rounding. Faces grow from their largest
/// triangle over edges of two triangles, by corners that are within 1e-7 of the extent of the plane
/// of what has grown so far: that plane is surer than those of small triangles, whose corners are
/// rounded, and the gentle bends of a fine round surface do not add up within a face. Time n log n.
/// @pre edges, edges_of, normals and diagnosis.extent are set
void add_planar_faces(TriangleMesh& mesh);

}  // namespace scree
