#pragma once

/// How dense a bed of balls is, and how many contacts a grain has, as the DEM figures that we
/// compare with were measured: in the part of a 0.6 m x 0.6 m box that is away from walls, floor
/// and surface.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/problem/measure.hpp"

namespace scree::test {

/// Volume of a ball inside a box. Away from the box's sides exact, else by the midpoint rule in two
/// directions with the third exact: to 1e-3 of the ball's volume.
inline double ball_in_box(const Vec3& centre, double radius, const Box3& box) {
  const Vec3 reach = Vec3::Constant(radius);
  if (box.contains(centre - reach) && box.contains(centre + reach)) {
    return 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
  }
  constexpr int kCells = 64;
  const double h = 2.0 * radius / kCells;
  double volume = 0.0;
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      const double x = -radius + (i + 0.5) * h;
      const double y = -radius + (j + 0.5) * h;
      const double half = radius * radius - x * x - y * y;
      const Vec3 p = centre + Vec3(x, y, 0.0);
      if (half <= 0.0 || p.x() < box.low.x() || p.x() > box.high.x() || p.y() < box.low.y() ||
          p.y() > box.high.y()) {
        continue;
      }
      const double low = std::max(p.z() - std::sqrt(half), box.low.z());
      const double high = std::min(p.z() + std::sqrt(half), box.high.z());
      volume += h * h * std::max(0.0, high - low);
    }
  }
  return volume;
}

/// Heights of all grains of all ranks, sorted. Collective. For scenes of some thousand grains.
inline std::vector<double> sorted_heights(MPI_Comm comm, const Store& store) {
  std::vector<double> mine;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    mine.push_back(store.position[i].z());
  }
  const int size = size_of(comm);
  const auto count = static_cast<int>(mine.size());
  std::vector<int> counts(size);
  SCREE_MPI(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm));
  std::vector<int> starts(counts.size(), 0);
  for (std::size_t r = 1; r < counts.size(); ++r) starts[r] = starts[r - 1] + counts[r - 1];
  std::vector<double> all(starts.back() + counts.back());
  SCREE_MPI(MPI_Allgatherv(mine.data(), count, MPI_DOUBLE, all.data(), counts.data(), starts.data(),
                           MPI_DOUBLE, comm));
  std::sort(all.begin(), all.end());
  return all;
}

/// Grains' volume over space, x and y in [0.1, 0.5] m, z from 35 mm to 0.8 of the 95th percentile
/// of the centres' heights. Collective.
inline double packing_fraction(MPI_Comm comm, const Store& store) {
  const std::vector<double> heights = sorted_heights(comm, store);
  const auto near_top = static_cast<std::size_t>(0.95 * static_cast<double>(heights.size() - 1));
  const double top = 0.8 * heights[near_top];
  const Box3 box{Vec3(0.1, 0.1, 0.035), Vec3(0.5, 0.5, top)};
  double volume = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    volume += ball_in_box(store.position[i], bounding_radius(store, i), box);
  }
  return sum_over_ranks(comm, volume) / (box.high - box.low).prod();
}

/// Mean number of closed contacts of a grain, those with walls included: a contact of two grains
/// counts for both. Collective. A closed contact's normal impulse exceeds 1e-3 of the mean positive
/// one.
template <class Result>
double contacts_a_grain(MPI_Comm comm, const Store& store, const Result& result) {
  const petsc::ConstView lambda(result.impact.impulse.get());
  const auto normal = [&](std::size_t i) {
    return lambda[result.formulated.problem.cones.offset[i]];
  };
  const double bound =
      closed_contact_bound(comm, result.formulated.problem.cones, result.impact.impulse.get());
  double ends = 0.0;
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    if (normal(i) > bound) ends += store.is_tool(result.contacts[i].b) ? 1.0 : 2.0;
  }
  return sum_over_ranks(comm, ends) /
         static_cast<double>(sum_over_ranks(comm, std::int64_t{store.n_owned}));
}

}  // namespace scree::test
