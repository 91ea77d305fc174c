#include "scree/problem/cones.hpp"

#include "scree/base/check.hpp"

namespace scree {

void Cones::append(int dim, double mu, FrictionLaw law) {
  SCREE_ASSERT(dim >= 1 && dim <= 3);
  const bool exact = law != FrictionLaw::associated;
  if (dim == 1) {
    append(cones::HalfLine{}, exact);
  } else if (dim == 2) {
    append(cones::Planar{{mu}}, exact);
  } else if (law == FrictionLaw::box) {
    append(cones::Pyramid{{mu, mu}}, exact);
  } else {
    append(cones::Circular{{mu}}, exact);
  }
}

std::vector<double> friction_coefficients(const Cones& cones) {
  std::vector<double> mu(cones.count(), 0.0);
  for_each_cone(cones, [&mu]<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (Cone::kParameters > 0) mu[at.number] = cone.mu[0];
  });
  return mu;
}

Cones with_law(const Cones& cones, FrictionLaw law) {
  Cones result;
  const std::vector<double> mu = friction_coefficients(cones);
  for (std::size_t i = 0; i < mu.size(); ++i) result.append(cones.dim(i), mu[i], law);
  return result;
}

FrictionLaw law_of(const Cones& cones) {
  FrictionLaw law = FrictionLaw::coulomb;
  for (const ConeBatch& batch : cones.batches) {
    if (batch.type == cones::kTypeOf<cones::HalfLine>) continue;
    if (batch.type == cones::kTypeOf<cones::Pyramid>) return FrictionLaw::box;
    if (!batch.exact) law = FrictionLaw::associated;
  }
  return law;
}

}  // namespace scree
