#include "inelastic_outcome.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "inelastic_steps.hpp"
#include "inelastic_sweeps.hpp"
#include "nonnegative_minimum.hpp"
#include "speeds_left.hpp"

namespace scree {
namespace {

/// Up to here dense algebra is exact, and as fast.
constexpr Eigen::Index kFewContacts = 100;
/// Speeds that the last pass may meet, over all contacts, as shares of the approach before: they
/// are left to the step's own problem. As much as what rests, which is left, too, between these
/// bounds. By the smaller share up to 1e-4 of the energy of random impacts are wrong. By the larger
/// one up to 6e-5 on the beds of scripts/bench/impact, beside a solution to 1e-6, where a tenth of
/// it takes 1.1 to 2 times the steps; and up to 2e-3 of random impacts, whose cones are thin.
constexpr double kLeastLeft = 1e-4;
constexpr double kMostLeft = 1e-3;

/// The share of @p sizes at which the energy is least, 1 for a solution.
double least_energy_share(const EnergySpace& space, const Eigen::VectorXd& start,
                          const Eigen::VectorXd& sizes) {
  const Eigen::VectorXd change = space.normals * sizes;
  const double square = change.squaredNorm();
  if (square == 0.0) return 0.0;
  return std::max(-(change.dot(start) + sizes.dot(space.offset)) / square, 0.0);
}

}  // namespace

FoundImpulses inelastic_outcome(const EnergySpace& space, const Eigen::VectorXd& start,
                                const Eigen::VectorXd& resting) {
  if (space.normals.cols() <= kFewContacts) {
    return {
        nonnegative_minimum(space.gram.dense(), space.normals.transpose() * start + space.offset),
        true};
  }
  const Eigen::VectorXd speeds = space.normals.transpose() * start + space.offset;
  const double approach = speeds.cwiseMin(0.0).norm();
  const double small = std::clamp(resting.norm(), kLeastLeft * approach, kMostLeft * approach);
  const double each = kLeastLeft * approach / std::sqrt(static_cast<double>(speeds.size()));
  const SpeedsLeft left(resting, each, speeds.size());
  FoundImpulses found = solve_by_sweeps(space, start, small, left);
  if (!found.settled) found = solve_by_steps(space, speeds, small, left, std::move(found.sizes));
  found.sizes *= least_energy_share(space, start, found.sizes);
  return found;
}

}  // namespace scree
