#pragma once

#include <span>

#include "geometry/hulls/mass_properties.hpp"
#include "scree/geometry/shapes/clump.hpp"

namespace scree {

/// Volume and moments of the union of @p parts, in their frame: what is in m parts counts once,
///
///     int over the union of f = sum over parts of int f - int (m - 1) f where m > 1
///
/// The first are the parts' own, exactly. The second is summed over cubes, halved from a box around
/// all until they are inside or outside of each part, or 1/32 of the inscribed radius of the
/// smallest part there: of those each part takes the share below the plane of its surface. That is
/// off by the square of the cube over the surface's radius; tests have the error below 5e-4 of the
/// smaller part. Of parts that are thin beside their overlap the cubes are coarser: no more than
/// some millions are looked at. @pre radii of the parts are filled in
MassProperties mass_of_union(std::span<const ClumpParts::Part> parts, const ShapeLibrary& library);

}  // namespace scree
