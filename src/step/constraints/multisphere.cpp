#include "multisphere.hpp"

#include "scree/config/declaration.hpp"
#include "scree/contact/ball_twins.hpp"

namespace scree {

void MultisphereOptions::declare(Declaration& d) {
  d.integer(
      "balls", balls,
      {.help =
           "of multisphere: number of balls that stand for a grain that is a spheroid longer than "
           "wide, a capsule (odd numbers) or a ring (from 3)",
       .min = 1,
       .max = kMostBalls});
}

MultisphereConstraints::MultisphereConstraints(const ConstraintOptions& options)
    : MeasuredAtTheEnd(options), balls_(static_cast<int>(options.of_ways.of<Options>().balls)) {}

std::string MultisphereConstraints::fault_of_grain(const Shape& shape) const {
  return fault_of_balls(shape, balls_);
}

ContactList MultisphereConstraints::find(const Store& bodies, const std::vector<Pair>& pairs,
                                         const Reach& reach) const {
  const BallTwins balls(bodies, balls_);
  return narrowphase(bodies, pairs, reach, balls.surfaces());
}

}  // namespace scree
