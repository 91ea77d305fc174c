#pragma once

/// The time that a contact takes in a step beside one of two balls, for the balance of ranks.
///
/// Shapes differ in the search for their contacts (docs/results/scale, the table kinds, of
/// beds of one kind): 0.11 us of two balls, 14 us of two cones. Rows take some 0.6 us a contact and
/// each sweep 12.5 ns, of any kind where kinds are mixed, as balls are swept like the others then.
/// Counted are 50 sweeps in every step: weights that followed the iterations of steps would have
/// regions cut anew as these go up and down. A pair costs by the dearer of its two shapes.

#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

/// The work of a contact of bodies with these shapes, in contacts of two balls.
double contact_work(const Shape& a, const Shape& b);

}  // namespace scree
