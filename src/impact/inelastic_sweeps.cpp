#include "inelastic_sweeps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace scree {
namespace {

/// In beds of 20 layers it takes a quarter of the sweeps that 1 takes.
constexpr double kOverrelaxation = 1.7;
/// Visits a contact. Small zones need fewer; where more are needed, as below a heavy body, gradient
/// steps get on faster: on the beds of scripts/bench/impact 50 save none of those that 20 leave.
constexpr int kMostSweeps = 20;

/// Overrelaxed sweeps from zero over the contacts that are due: those beside a change of the sweep
/// before, or of this one by a contact of lower number.
class InelasticSweeps {
 public:
  /// @param y velocities. @param left must outlive this.
  InelasticSweeps(const EnergySpace& space, Eigen::VectorXd y, const SpeedsLeft& left)
      : space_(space),
        y_(std::move(y)),
        sizes_(Eigen::VectorXd::Zero(space.normals.cols())),
        left_(left),
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
    if (std::abs(change) <= kOverrelaxation * left_.of(i, sizes_[i])) return;
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
  const SpeedsLeft& left_;
  std::vector<std::uint64_t> due_;    ///< a bit a contact
  std::vector<std::uint64_t> later_;  ///< in the next sweep
  double square_ = 0.0;
  std::int64_t visits_ = 0;
};

}  // namespace

FoundImpulses solve_by_sweeps(const EnergySpace& space, const Eigen::VectorXd& y, double small,
                              const SpeedsLeft& left) {
  const std::int64_t most = kMostSweeps * space.normals.cols();
  InelasticSweeps sweeps(space, y, left);
  bool settled = false;
  while (!settled && sweeps.visits() < most) {
    sweeps.make_all_due();
    settled = sweeps.sweep() <= kOverrelaxation * small;
    while (!settled && sweeps.visits() < most && sweeps.sweep() > kOverrelaxation * small) {
    }
  }
  return {sweeps.sizes(), settled};
}

}  // namespace scree
