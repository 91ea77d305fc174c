#include "scree/sources/growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

#include "scree/bodies/inertia.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/sources/counter_random.hpp"

namespace scree {
namespace {

/// Which of a cell's random numbers is for what, in each of its generations.
enum GrowthNumber : std::uint64_t { kLength, kTurn, kHeight, kAzimuth, kNumbers };

/// The largest way that two cells may grow towards each other in a step, over their radius: what
/// contacts undo in a step by themselves.
constexpr double kMostPerStep = 0.1;
/// Leaves room for rounding to two digits, and for what grows in the step itself: a 40th at most.
constexpr double kSafely = 0.95;

double whole_length(const Capsule& cell) {
  return cell.length + 2.0 * cell.radius;
}

Capsule& cell_in(Store& store, std::int32_t slot) {
  return store.shape[slot].get<Capsule>();
}
const Capsule& cell_in(const Store& store, std::int32_t slot) {
  return store.shape[slot].get<Capsule>();
}

/// Random number @p number of the generation that the cell in @p slot is in.
double random_of(const GrowthSpec& spec, const Store& store, std::int32_t slot,
                 GrowthNumber number) {
  constexpr std::uint64_t kOfGrowth =
      0x67726f777468;  // apart from what else has the seed and the id
  const auto generation = static_cast<std::uint64_t>(store.generation[slot]);
  return uniform_number(static_cast<std::uint64_t>(spec.seed) ^ kOfGrowth,
                        static_cast<std::uint64_t>(store.id[slot]), generation * kNumbers + number);
}

}  // namespace

void GrowthSpec::declare(Declaration& d) {
  d.texts(
      "groups", groups,
      {.help = "groups of `bodies` and `insertions` whose grains, all of them capsules, grow and "
               "divide",
       .required = true});
  d.real("rate", rate,
         {.help = "growth of the length, half balls included, over the length",
          .unit = "1/s",
          .above = 0.0,
          .required = true});
  d.real("division_length", division_length,
         {.help = "length, half balls included, at which a grain divides into two of half of it",
          .unit = "m",
          .above = 0.0,
          .required = true});
  d.real("spread", spread,
         {.help = "largest difference of a grain's division length from division_length, over it: "
                  "evenly at random",
          .min = 0.0,
          .max = 0.5});
  d.real("turn", turn,
         {.help = "largest angle by which each of the two is turned, evenly at random",
          .unit = "rad",
          .min = 0.0,
          .max = 1.6});
  d.integer("seed", seed, {.help = "another seed gives another colony", .min = 0});
  d.require("groups", !groups.empty(), "are none; allowed: one or more");
}

double GrowthSpec::longest(double dt) const {
  return (1.0 + spread) * division_length * std::exp(rate * dt);
}

std::string fault_of_growth(const GrowthSpec& spec, const Shape& shape, double dt) {
  const auto* cell = shape.get_if<Capsule>();
  if (cell == nullptr) {
    return fmt::format("only capsules grow, not grains of type {}", type_of(shape));
  }
  if (spec.shortest_division() < 4.0 * cell->radius) {
    return fmt::format(
        "halves of {:g} m would be shorter than their diameter; allowed: division_length times "
        "1 - spread from {:g} m on, for radii of {:g} m",
        0.5 * spec.shortest_division(), 4.0 * cell->radius, cell->radius);
  }
  const double closed = spec.longest(dt) * std::expm1(spec.rate * dt);
  if (closed > kMostPerStep * cell->radius) {
    return fmt::format(
        "cells grow towards each other by up to {:.3g} m in a step, more than a tenth of their "
        "radius; allowed: time.dt up to {:.2g} s",
        closed, kSafely * kMostPerStep * cell->radius / (spec.rate * spec.longest(0.0)));
  }
  return {};
}

Growth::Growth(const GrowthSpec& spec, std::span<const Material> materials,
               std::vector<std::int32_t> populations)
    : spec_(spec), populations_(std::move(populations)) {
  for (const Material& material : materials) densities_.push_back(material.density);
}

bool Growth::has(std::int32_t group) const {
  return std::find(populations_.begin(), populations_.end(), group) != populations_.end();
}

void Growth::lengthen(Store& store, double dt) const {
  const double factor = std::exp(spec_.rate * dt);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (!has(store.group[slot])) continue;
    Capsule cell = cell_in(store, slot);
    cell.length = factor * whole_length(cell) - 2.0 * cell.radius;
    set_shape(store, slot, cell, densities_[store.material[slot]]);
  }
}

double Growth::division_length(const Store& store, std::int32_t slot) const {
  const double u = random_of(spec_, store, slot, kLength);
  return spec_.division_length * (1.0 + spec_.spread * (2.0 * u - 1.0));
}

std::vector<std::int32_t> Growth::due(const Store& store) const {
  std::vector<std::int32_t> slots;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (!has(store.group[slot])) continue;
    if (whole_length(cell_in(store, slot)) >= division_length(store, slot)) slots.push_back(slot);
  }
  return slots;
}

void Growth::turn(Store& store, std::int32_t slot) const {
  const double z = 2.0 * random_of(spec_, store, slot, kHeight) - 1.0;
  const double azimuth = 2.0 * std::numbers::pi * random_of(spec_, store, slot, kAzimuth);
  const double across = std::sqrt(1.0 - z * z);
  Vec3 axis(across * std::cos(azimuth), across * std::sin(azimuth), z);
  for (int k = 0; k < 3; ++k) {
    if (is_held(store, slot, 3 + k)) axis[k] = 0.0;
  }
  const double angle = spec_.turn * (2.0 * random_of(spec_, store, slot, kTurn) - 1.0);
  if (angle == 0.0 || axis.isZero(0.0)) return;
  store.orientation[slot] =
      (rotation_by(angle * axis.normalized()) * store.orientation[slot]).normalized();
}

void Growth::divide(Store& store, std::int32_t slot, std::int64_t daughter) const {
  const Capsule mother = cell_in(store, slot);
  const double length = whole_length(mother);
  const Vec3 to_end = store.orientation[slot] * Vec3(0.0, 0.0, 0.25 * length);
  const std::int32_t other = append_copy(store, slot);
  store.parent[other] = store.id[slot];
  store.id[other] = daughter;
  const Capsule half{mother.radius, 0.5 * length - 2.0 * mother.radius};
  for (const auto& [one, arm] : {std::pair(slot, Vec3(-to_end)), std::pair(other, to_end)}) {
    ++store.generation[one];
    store.position[one] += arm;
    store.velocity[one] += store.angular_velocity[one].cross(arm);
    set_shape(store, one, half, densities_[store.material[one]]);
    turn(store, one);
  }
}

std::vector<std::int64_t> divide_all(MPI_Comm comm, Store& store, std::span<const Growth> growths,
                                     std::int64_t next_id) {
  std::vector<std::pair<std::int32_t, const Growth*>> mine;
  std::vector<std::int64_t> ids;
  for (const Growth& growth : growths) {
    for (const std::int32_t slot : growth.due(store)) {
      mine.emplace_back(slot, &growth);
      ids.push_back(store.id[slot]);
    }
  }
  std::vector<std::int64_t> mothers = joined_over_ranks(comm, ids);
  std::sort(mothers.begin(), mothers.end());
  for (const auto& [slot, growth] : mine) {
    const auto place = std::lower_bound(mothers.begin(), mothers.end(), store.id[slot]);
    growth->divide(store, slot, next_id + (place - mothers.begin()));
  }
  return mothers;
}

}  // namespace scree
