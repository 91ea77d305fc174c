#include "scree/step/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/geometry/pose.hpp"

namespace scree {
namespace {

[[noreturn]] void refuse_free_velocity(const Store& store, std::int32_t slot, const Vec3& force) {
  const Vec3& x = store.position[slot];
  throw InputError(fmt::format(
      "forces: the force on body {} at ({:.9g}, {:.9g}, {:.9g}) m, {:.3g} N, gives it a velocity "
      "beyond what a number can hold; check the formulas of `forces` and `fluid`, and time.dt",
      store.id[slot], x.x(), x.y(), x.z(), force.norm()));
}

Vec6 free_velocity(const Store& store, const Stepper& stepper, std::int32_t slot, const Load& load,
                   double dt) {
  return with_held(store, slot, stepper.free_velocity(store, slot, load, dt));
}

}  // namespace

Vec6 with_held(const Store& store, std::int32_t slot, Vec6 v) {
  if (store.fixed[slot] == 0) return v;
  for (int k = 0; k < 3; ++k) {
    if (is_held(store, slot, k)) v[k] = store.velocity[slot][k];
    if (is_held(store, slot, 3 + k)) v[3 + k] = store.angular_velocity[slot][k];
  }
  return v;
}

std::vector<BodyInertia> apparent_inertias(const Stepper& stepper, const Store& store, double dt) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const BodyInertia prescribed{Vec3::Constant(kInfinite), Vec3::Constant(kInfinite)};
  std::vector<BodyInertia> inertias;
  inertias.reserve(store.size());
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    const bool moves = !store.is_prescribed(slot);
    inertias.push_back(moves ? stepper.apparent_inertia(store, slot, dt) : prescribed);
  }
  return inertias;
}

void predict(Store& store, const Stepper& stepper, const Loads& loads, double dt) {
  SCREE_ASSERT(std::cmp_equal(loads.size(), store.n_owned + count_free_tools(store)));
  for_each_row(store, static_cast<std::int64_t>(loads.size()),
               [&](std::int32_t slot, std::int64_t i) {
                 const Load load = loads[static_cast<std::size_t>(i)];
                 const Vec6 v = free_velocity(store, stepper, slot, load, dt);
                 if (!v.allFinite()) refuse_free_velocity(store, slot, load.force.head<3>());
                 store.free_velocity[slot] = v.head<3>();
               });
}

petsc::Vector free_velocities(MPI_Comm comm, const Store& store, const Stepper& stepper,
                              const Loads& loads, std::int64_t n_rows, double dt) {
  petsc::Vector all = petsc::make_vector(comm, static_cast<std::size_t>(6 * n_rows));
  const petsc::View entries(all.get());
  for_each_row(store, n_rows, [&](std::int32_t slot, std::int64_t i) {
    Vec6::Map(entries.data() + 6 * i) =
        free_velocity(store, stepper, slot, loads[static_cast<std::size_t>(i)], dt);
  });
  return all;
}

void advance(MPI_Comm comm, Store& store, Vec end_velocity, double dt) {
  const petsc::ConstView v(end_velocity);
  const std::vector<Vec6> tools = of_free_tools(comm, store, v.span());
  for_each_row(store, store.n_owned + std::ssize(tools), [&](std::int32_t slot, std::int64_t i) {
    const bool is_tool = store.is_tool(slot);
    const double* w = is_tool ? tools[i - store.n_owned].data() : v.data() + 6 * i;
    store.velocity[slot] = Vec3(w[0], w[1], w[2]);
    store.angular_velocity[slot] = Vec3(w[3], w[4], w[5]);
    store.position[slot] += dt * store.velocity[slot];
    store.orientation[slot] =
        (rotation_by(dt * store.angular_velocity[slot]) * store.orientation[slot]).normalized();
  });
}

}  // namespace scree
