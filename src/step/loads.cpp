#include "scree/step/loads.hpp"

#include "scree/base/parallel.hpp"

namespace scree {

Loads loads(const Store& store, std::span<const ForceField> fields, const Flow& flow, double t) {
  const std::size_t n = store.n_owned;
  Loads all{std::vector<Vec6>(n, Vec6::Zero()), std::vector<Vec6>(n, Vec6::Zero())};
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t slot = store.first_owned() + static_cast<std::int32_t>(i);
    for (const ForceField& field : fields) all.force[i] += field.on(store, slot, t);
    if (flow.at_rest()) continue;
    const Velocities there = flow.around(store, slot, t);
    all.flow[i] << there.linear, there.angular;
  }
  return all;
}

LoadPower power_of(MPI_Comm comm, const Store& store, const Loads& loads, const Medium& medium,
                   Vec end_velocity) {
  const petsc::ConstView end(end_velocity);
  std::vector<double> power(2, 0.0);
  for (std::size_t i = 0; i < loads.force.size(); ++i) {
    const std::size_t slot = store.first_owned() + i;
    Vec6 before;
    before << store.velocity[slot], store.angular_velocity[slot];
    const Vec6 after(end.data() + 6 * i);
    Vec6 mean = medium.inertia ? Vec6(0.5 * (before + after)) : after;
    for (int k = 0; k < 6; ++k) {
      if ((store.fixed[slot] >> k & 1) != 0) mean[k] = 0.0;  // held: no load acts on it
    }
    const DragCoefficients c = drag_coefficients(store, static_cast<std::int32_t>(slot), medium);
    Vec6 drag = loads.flow[i] - after;
    drag.head<3>() *= c.linear;
    drag.tail<3>() *= c.angular;
    power[0] += loads.force[i].dot(mean);
    power[1] += drag.dot(mean);
  }
  sum_over_ranks(comm, power);
  return {power[0], power[1]};
}

}  // namespace scree
