#include "inelastic_outcome.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "approaching_contacts.hpp"
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

/// Overrelaxed sweeps from zero over the contacts that are due: those beside a change of the sweep
/// before, or of this one by a contact of lower number.
class InelasticSweeps {
 public:
  /// @param y velocities. @param each changes up to it are left, @param idle those of each contact
  /// without an impulse.
  InelasticSweeps(const EnergySpace& space, Eigen::VectorXd y, double each, Eigen::VectorXd idle)
      : space_(space),
        y_(std::move(y)),
        sizes_(Eigen::VectorXd::Zero(space.normals.cols())),
        each_(each),
        idle_(std::move(idle)),
        due_(words()),
        later_(words()) {}

  void make_all_due() {
    for (Eigen::Index i = 0; i < sizes_.size(); ++i) later_[word(i)] |= bit(i);
  }
  /// @returns the norm of the changes.
  double sweep() {
    std::swap(due_, later_);
    square_ = 0.0;
    for (std::size_t w = 0; w < due_.size(); ++w) {
      while (due_[w] != 0) {
        const auto i = static_cast<Eigen::Index>(kBits * w) + std::countr_zero(due_[w]);
        due_[w] &= due_[w] - 1;
        visit(i);
      }
    }
    return std::sqrt(square_);
  }
  std::int64_t visits() const { return visits_; }
  const Eigen::VectorXd& sizes() const { return sizes_; }

 private:
  static constexpr std::size_t kBits = 64;
  static std::size_t word(Eigen::Index i) { return static_cast<std::size_t>(i) / kBits; }
  static std::uint64_t bit(Eigen::Index i) {
    return std::uint64_t{1} << (static_cast<std::size_t>(i) % kBits);
  }
  std::size_t words() const {
    return (static_cast<std::size_t>(sizes_.size()) + kBits - 1) / kBits;
  }

  void visit(Eigen::Index i) {
    ++visits_;
    double speed = space_.offset[i];
    for (SparseColumns::InnerIterator it(space_.normals, i); it; ++it) {
      speed += it.value() * y_[it.row()];
    }
    const double change = std::max(-kOverrelaxation * speed, -sizes_[i]);
    if (std::abs(change) <= (sizes_[i] == 0.0 ? idle_[i] : each_)) return;
    sizes_[i] += change;
    for (SparseColumns::InnerIterator it(space_.normals, i); it; ++it) {
      y_[it.row()] += change * it.value();
    }
    square_ += change * change;
    for (const auto& [row, value] : space_.gram.column(i)) {
      (row > i ? due_ : later_)[word(row)] |= bit(row);
    }
  }

  const EnergySpace& space_;
  Eigen::VectorXd y_;
  Eigen::VectorXd sizes_;
  double each_;
  Eigen::VectorXd idle_;
  std::vector<std::uint64_t> due_;    ///< a bit a contact
  std::vector<std::uint64_t> later_;  ///< in the next sweep
  double square_ = 0.0;
  std::int64_t visits_ = 0;
};

/// @returns whether a last sweep over all contacts changes @p sizes, from zero, by no more than
/// @p small, but where approaches up to @p resting have no impulse.
bool solve_by_sweeps(const EnergySpace& space, const Eigen::VectorXd& y, double small,
                     const Eigen::VectorXd& resting, Eigen::VectorXd& sizes) {
  const std::int64_t most = kMostSweeps * sizes.size();
  const double each = small / std::sqrt(static_cast<double>(sizes.size()));
  InelasticSweeps sweeps(space, y, kOverrelaxation * each,
                         kOverrelaxation * thresholds_of(resting, each, sizes.size()));
  bool settled = false;
  while (!settled && sweeps.visits() < most) {
    sweeps.make_all_due();
    settled = sweeps.sweep() <= kOverrelaxation * small;
    while (!settled && sweeps.visits() < most && sweeps.sweep() > kOverrelaxation * small) {
    }
  }
  sizes = sweeps.sizes();
  return settled;
}

/// At least the largest eigenvalue of A^T A.
double bound_of(const Gram& gram) {
  double bound = 0.0;
  for (Eigen::Index j = 0; j < gram.size(); ++j) {
    double sum = 0.0;
    for (const Gram::Entry& entry : gram.column(j)) sum += std::abs(entry.value);
    bound = std::max(bound, sum);
  }
  return bound;
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

Eigen::VectorXd inelastic_outcome(const EnergySpace& space, const Eigen::VectorXd& start,
                                  const Eigen::VectorXd& resting) {
  if (space.normals.cols() <= kFewContacts) {
    return nonnegative_minimum(space.gram.dense(),
                               space.normals.transpose() * start + space.offset);
  }
  const Eigen::VectorXd speeds = space.normals.transpose() * start + space.offset;
  const double small = kLastChange * speeds.cwiseMin(0.0).norm();
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(speeds.size());
  if (!solve_by_sweeps(space, start, small, resting, sizes)) {
    go_on_by_gradients(space, speeds, small, sizes);
  }
  return least_energy_share(space, start, sizes) * sizes;
}

}  // namespace scree
