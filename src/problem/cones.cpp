#include "scree/problem/cones.hpp"

#include <algorithm>
#include <utility>

#include "scree/base/check.hpp"

namespace scree {

void Cones::add_parameters(ConeBatch& batch, std::ptrdiff_t size,
                           std::span<const double> parameters) {
  std::vector<double>& known = batch.parameters;
  if (batch.count == 0) known.assign(parameters.begin(), parameters.begin() + size);
  if (batch.alike) {
    auto at = parameters.begin();
    while (at != parameters.end() && std::equal(at, at + size, known.begin())) at += size;
    if (at == parameters.end()) return;
    const std::vector<double> one = std::exchange(known, {});
    // most problems have one batch, whose room is known
    if (batches.size() == 1) known.reserve(static_cast<std::size_t>(size) * offset.capacity());
    for (std::int32_t i = 0; i < batch.count; ++i)
      known.insert(known.end(), one.begin(), one.end());
    batch.alike = false;
  }
  known.insert(known.end(), parameters.begin(), parameters.end());
}

void Cones::append(int dim, double mu, const Friction& friction) {
  SCREE_ASSERT(dim >= 1 && dim <= 3);
  if (dim == 1) {
    append_by(friction, cones::HalfLine{});
  } else if (dim == 2) {
    append_by(friction, cones::Planar{{mu}});
  } else if (friction.law == FrictionLaw::box) {
    append(cones::Pyramid{{mu, mu}});
  } else {
    append_by(friction, cones::Circular{{mu}});
  }
}

void Cones::append(const Cones& others) {
  const auto n_before = static_cast<std::int32_t>(count());
  const std::int32_t row = offset.back();
  for (const ConeBatch& batch : others.batches) {
    batches.push_back(batch);
    batches.back().first += n_before;
  }
  for (std::size_t i = 1; i < others.offset.size(); ++i) offset.push_back(row + others.offset[i]);
}

std::vector<double> friction_coefficients(const Cones& cones) {
  std::vector<double> mu(cones.count(), 0.0);
  for_each_cone(cones, [&mu]<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (Cone::kParameters > 0 && cones::kIsCone<Cone>) mu[at.number] = cone.mu[0];
  });
  return mu;
}

Cones with_law(const Cones& cones, const Friction& friction) {
  Cones result;
  const std::vector<double> mu = friction_coefficients(cones);
  for_each_cone(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    using Round = typename cones::RoundOf<Cone>::Type;
    constexpr int kLargestPlain = cones::Circular::kDim;
    if constexpr (!cones::OfDiscs<Cone>) {
      SCREE_ASSERT(false);
    } else if constexpr (Cone::kDim <= kLargestPlain) {
      result.append(Cone::kDim, mu[at.number], friction);
    } else {
      SCREE_ASSERT(friction.law != FrictionLaw::box);
      result.append_by(friction, Round{cone.mu});
    }
  });
  return result;
}

FrictionLaw law_of(const Cones& cones) {
  FrictionLaw law = FrictionLaw::coulomb;
  for (const ConeBatch& batch : cones.batches) {
    if (batch.type == cones::kTypeOf<cones::HalfLine>) continue;
    if (batch.type == cones::kTypeOf<cones::Pyramid>) return FrictionLaw::box;
    const bool faceted = cones::with_type(batch.type, []<class Cone>() {
      return !std::is_same_v<Cone, typename cones::RoundOf<Cone>::Type>;
    });
    if (faceted) return FrictionLaw::pyramid;
    if (!batch.exact) law = FrictionLaw::associated;
  }
  return law;
}

}  // namespace scree
