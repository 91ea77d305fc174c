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
/// In beds of 20 layers it takes a quarter of the sweeps that 1 takes.
constexpr double kOverrelaxation = 1.7;
/// Most zones need fewer. Where they end, as below a heavy body, gradient steps get on faster.
constexpr int kMostSweeps = 200;
/// The last resort.
constexpr int kMostSteps = 3000;

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

/// @returns whether the last sweep changes @p sizes, from zero, by no more than @p small.
bool solve_by_sweeps(const EnergySpace& space, Eigen::VectorXd y, double small,
                     Eigen::VectorXd& sizes) {
  for (int k = 0; k < kMostSweeps; ++k) {
    if (sweep(space, sizes, y) <= kOverrelaxation * small) return true;
  }
  return false;
}

/// At least the largest eigenvalue of A^T A.
double bound_of(const SparseColumns& gram) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(gram.cols());
  return (gram.cwiseAbs() * ones).maxCoeff();
}

/// Goes on from @p sizes until a step would change them by no more than @p small.
/// @param speeds without impulses.
void go_on_by_gradients(const EnergySpace& space, const Eigen::VectorXd& speeds, double small,
                        Eigen::VectorXd& sizes) {
  const double bound = bound_of(space.gram);
  Eigen::VectorXd from = sizes;
  double momentum = 1.0;
  for (int k = 0; k < kMostSteps; ++k) {
    const Eigen::VectorXd change = space.normals * from;
    const Eigen::VectorXd gradient = space.normals.transpose() * change + speeds;
    const Eigen::VectorXd next = (from - gradient / bound).cwiseMax(0.0);
    const bool done = bound * (next - from).norm() <= small;
    const bool turns_back = gradient.dot(next - sizes) > 0.0;
    const double later = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    from = turns_back ? next : Eigen::VectorXd(next + (momentum - 1.0) / later * (next - sizes));
    momentum = turns_back ? 1.0 : later;
    sizes = next;
    if (done) return;
  }
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
  const Eigen::VectorXd speeds = space.normals.transpose() * start + space.offset;
  const double small = kLastChange * speeds.cwiseMin(0.0).norm();
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(speeds.size());
  if (!solve_by_sweeps(space, start, small, sizes)) {
    go_on_by_gradients(space, speeds, small, sizes);
  }
  return least_energy_share(space, start, sizes) * sizes;
}

}  // namespace scree
