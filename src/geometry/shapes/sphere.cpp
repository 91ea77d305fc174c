#include "scree/geometry/shapes/sphere.hpp"

#include "scree/config/declaration.hpp"

namespace scree {

void Sphere::declare(Declaration& d) {
  d.real("radius", radius, {.help = "radius", .unit = "m", .above = 0.0, .required = true});
}

}  // namespace scree
