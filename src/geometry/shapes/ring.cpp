#include "scree/geometry/shapes/ring.hpp"

#include "scree/config/declaration.hpp"

namespace scree {

void Ring::declare(Declaration& d) {
  d.real("major_radius", major_radius,
         {.help = "from the centre to the middle of the tube",
          .unit = "m",
          .above = 0.0,
          .required = true});
  d.real("minor_radius", minor_radius,
         {.help = "of the tube", .unit = "m", .above = 0.0, .required = true});
  d.require("minor_radius", minor_radius < major_radius,
            "leaves no hole; allowed: below major_radius");
  d.require("major_radius", major_radius <= 500.0 * minor_radius,
            "is more than 500 minor radii; allowed: up to that");
}

}  // namespace scree
