#include "scree/step/energies.hpp"

#include "scree/base/parallel.hpp"
#include "scree/bodies/inertia.hpp"
#include "scree/loads/fluid.hpp"

namespace scree {
namespace {

/// I w of the body in @p slot, world frame.
Vec3 spin_momentum_of(const Store& store, std::int32_t slot) {
  const Vec3& inertia = store.inertia[slot];
  const Vec3& spin = store.angular_velocity[slot];
  if (is_isotropic(inertia)) return inertia.x() * spin;
  const Quat& q = store.orientation[slot];
  return q * inertia.cwiseProduct(q.conjugate() * spin);
}

}  // namespace

Energies energies(MPI_Comm comm, const Store& store, const Vec3& gravity, const PeriodicCell& cell,
                  double fluid_density) {
  Energies local;
  const bool repeats = cell.repeats();
  const std::int32_t n_tools = rank_of(comm) == 0 ? count_free_tools(store) : 0;  // counted once
  for_each_row(store, store.n_owned + n_tools, [&](std::int32_t i, std::int64_t /*row*/) {
    const double m = store.mass[i];
    const Vec3 x = repeats ? unwrapped(store, cell, i) : store.position[i];
    const Vec3& v = store.velocity[i];
    const Vec3 spin_momentum = spin_momentum_of(store, i);
    local.kinetic += 0.5 * m * v.squaredNorm() + 0.5 * store.angular_velocity[i].dot(spin_momentum);
    const double heavy = fluid_density == 0.0 ? m : buoyant_mass(store, i, fluid_density);
    local.potential -= heavy * gravity.dot(x);
    local.momentum += m * v;
    local.angular_momentum += m * x.cross(v) + spin_momentum;
    local.mass += m;
  });
  std::vector<double> sums{local.kinetic, local.potential, local.mass};
  for (int k = 0; k < 3; ++k) sums.push_back(local.momentum[k]);
  for (int k = 0; k < 3; ++k) sums.push_back(local.angular_momentum[k]);
  sum_over_ranks(comm, sums);
  return {sums[0], sums[1], Vec3(sums[3], sums[4], sums[5]), Vec3(sums[6], sums[7], sums[8]),
          sums[2]};
}

}  // namespace scree
