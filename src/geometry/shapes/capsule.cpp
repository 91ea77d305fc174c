#include "scree/geometry/shapes/capsule.hpp"

#include "scree/config/declaration.hpp"

namespace scree {

void Capsule::declare(Declaration& d) {
  d.real("radius", radius, {.help = "radius", .unit = "m", .above = 0.0, .required = true});
  d.real("length", length,
         {.help = "of the cylinder, without the half balls at its ends; 0: a ball",
          .unit = "m",
          .min = 0.0,
          .required = true});
  d.require("length", length <= 1000.0 * radius, "is more than 1000 radii; allowed: up to that");
}

}  // namespace scree
