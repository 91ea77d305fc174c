#include "scree/step/load_power.hpp"

#include <iterator>

#include "scree/base/parallel.hpp"

namespace scree {

LoadPower power_of(MPI_Comm comm, const Store& store, const Loads& loads, const Stepper& stepper,
                   const Medium& medium, Vec end_velocity) {
  if (loads.are_none() && medium.viscosity == 0.0) return {0.0, 0.0};  // alike on all ranks
  const petsc::ConstView end(end_velocity);
  std::vector<double> power(2, 0.0);
  for_each_row(store, std::ssize(end.span()) / 6, [&](std::int32_t slot, std::int64_t i) {
    const DragCoefficients coefficients = drag_coefficients(store, slot, medium);
    const Load load = loads[static_cast<std::size_t>(i)];
    if (coefficients.is_zero() && load.force.isZero(0.0)) return;
    Vec6 before;
    before << store.velocity[slot], store.angular_velocity[slot];
    const Vec6 after(end.data() + 6 * i);
    Vec6 mean = stepper.mean_velocity(before, after);
    for (int k = 0; k < 6; ++k) {
      if (is_held(store, slot, k)) mean[k] = 0.0;  // no load acts on it
    }
    const Vec6 drag = drag_force(store, slot, coefficients, load.flow - after);
    power[0] += load.force.dot(mean);
    power[1] += drag.dot(mean);
  });
  sum_over_ranks(comm, power);
  return {power[0], power[1]};
}

}  // namespace scree
