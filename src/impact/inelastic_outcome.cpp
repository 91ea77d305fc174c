#include "inelastic_outcome.hpp"

#include <algorithm>
#include <cmath>

#include "nonnegative_minimum.hpp"

namespace scree {
namespace {

/// Up to here dense algebra is exact, and as fast.
constexpr Eigen::Index kFewContacts = 100;
/// The last sweep changes impulses by no more than this share of the approach at the start, over
/// all contacts: what then still approaches is left to the step's own problem.
constexpr double kLastChange = 1e-4;
/// Of beds of 20 layers: a quarter of the sweeps that 1 takes.
constexpr double kOverrelaxation = 1.7;
/// The last resort.
constexpr int kMostSweeps = 10'000;

/// @returns the norm of what the sweep changes.
double sweep(const EnergySpace& space, Eigen::VectorXd& sizes, Eigen::VectorXd& y) {
  double square = 0.0;
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    double speed = space.offset[i];
    for (SparseColumns::InnerIterator it(space.normals, i); it; ++it) {
      speed += it.value() * y[it.row()];
    }
    const double change = std::max(-kOverrelaxation * speed, -sizes[i]);
    if (change == 0.0) continue;
    sizes[i] += change;
    square += change * change;
    for (SparseColumns::InnerIterator it(space.normals, i); it; ++it) {
      y[it.row()] += change * it.value();
    }
  }
  return std::sqrt(square);
}

Eigen::VectorXd by_sweeps(const EnergySpace& space, Eigen::VectorXd y) {
  const Eigen::VectorXd speeds = space.normals.transpose() * y + space.offset;
  const double small = kOverrelaxation * kLastChange * speeds.cwiseMin(0.0).norm();
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(speeds.size());
  for (int k = 0; k < kMostSweeps; ++k) {
    if (sweep(space, sizes, y) <= small) break;
  }
  return sizes;
}

/// The share of @p sizes at which the energy is least, 1 for a solution.
double least_energy_share(const EnergySpace& space, const Eigen::VectorXd& start,
                          const Eigen::VectorXd& sizes) {
  const Eigen::VectorXd change = space.normals * sizes;
  const double square = change.squaredNorm();
  if (square == 0.0) return 0.0;
  return std::max(-(change.dot(start) + sizes.dot(space.offset)) / square, 0.0);
}

}  // namespace

Eigen::VectorXd inelastic_outcome(const EnergySpace& space, const Eigen::VectorXd& start) {
  if (space.normals.cols() <= kFewContacts) {
    return nonnegative_minimum(space.gram, space.normals.transpose() * start + space.offset);
  }
  const Eigen::VectorXd sizes = by_sweeps(space, start);
  return least_energy_share(space, start, sizes) * sizes;
}

}  // namespace scree
