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
/// What still approaches in the end, over all contacts, as a share of the approach at the start: it
/// is left to the step's own problem. Of random impacts up to 1e-4 of the energy are then wrong.
constexpr double kLastChange = 1e-4;
/// The same where what rests is left, which has 1e-3 of the energy: up to 6e-5 are wrong on the
/// beds of scripts/bench/impact, beside a solution to 1e-6, and a tenth of it takes 1.1 to 2 times
/// the steps. Of random impacts, whose cones are thin, 2e-3 may be.
constexpr double kLastChangeOfRest = 1e-3;

/// The share of @p sizes at which the energy is least, 1 for a solution.
double least_energy_share(const EnergySpace& space, const Eigen::VectorXd& start,
                          const Eigen::VectorXd& sizes) {
  const Eigen::VectorXd change = space.normals * sizes;
  const double square = change.squaredNorm();
  if (square == 0.0) return 0.0;
  return std::max(-(change.dot(start) + sizes.dot(space.offset)) / square, 0.0);
}

}  // namespace

Eigen::VectorXd inelastic_outcome(const EnergySpace& space, const Eigen::VectorXd& start,
                                  const Eigen::VectorXd& resting) {
  if (space.normals.cols() <= kFewContacts) {
    return nonnegative_minimum(space.gram.dense(),
                               space.normals.transpose() * start + space.offset);
  }
  const Eigen::VectorXd speeds = space.normals.transpose() * start + space.offset;
  const double last_change = resting.size() > 0 ? kLastChangeOfRest : kLastChange;
  const double small = last_change * speeds.cwiseMin(0.0).norm();
  const SpeedsLeft left(resting, small / std::sqrt(static_cast<double>(speeds.size())),
                        speeds.size());
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(speeds.size());
  if (!solve_by_sweeps(space, start, small, left, sizes)) {
    sizes = solve_by_steps(space, speeds, small, left, std::move(sizes));
  }
  return least_energy_share(space, start, sizes) * sizes;
}

}  // namespace scree
