#include "inelastic_outcome.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "approaching_contacts.hpp"
#include "nonnegative_minimum.hpp"
#include "scree/base/gradient_pace.hpp"

namespace scree {
namespace {

/// Up to here dense algebra is exact, and as fast.
constexpr Eigen::Index kFewContacts = 100;
/// The last sweep changes impulses by no more than this share of the approach at the start, over
/// all contacts: what then still approaches is left to the step's own problem.
constexpr double kLastChange = 1e-4;
/// Share of what rests that contacts with an impulse may keep of their speed. On the beds of
/// scripts/bench/impact it leaves 1e-4 of the energy wrong, and what rests leaves 1e-3; with 0.1
/// the front of the impact stood still amid one of them, and 3e-3 were wrong (by hand).
constexpr double kPressedShare = 0.01;
/// In beds of 20 layers it takes a quarter of the sweeps that 1 takes.
constexpr double kOverrelaxation = 1.7;
/// Visits a contact. Most zones need fewer; where more are needed, as below a heavy body, gradient
/// steps get on faster: on the same beds 200 take as long or longer.
constexpr int kMostSweeps = 50;
/// The last resort: what then approaches is left, too.
constexpr int kMostSteps = 10000;
/// Of so many gradient steps one goes over all contacts: in them the front of an impact goes on.
constexpr int kWholeStep = 8;

/// Speeds of contacts, sqrt(J), that no visit is worth.
struct SpeedsLeft {
  Eigen::VectorXd idle;     ///< of contacts without an impulse
  Eigen::VectorXd pressed;  ///< of the others

  /// @p each of every contact at the least. @param resting approaches that are left; empty: none.
  SpeedsLeft(const Eigen::VectorXd& resting, double each, Eigen::Index n)
      : idle(thresholds_of(resting, each, n)),
        pressed(thresholds_of(kPressedShare * resting, each, n)) {}
  double of(Eigen::Index i, double impulse) const { return impulse == 0.0 ? idle[i] : pressed[i]; }
};

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

/// @returns whether a last sweep over all contacts changes @p sizes, from zero, by no more than
/// @p small, but by what is @p left.
bool solve_by_sweeps(const EnergySpace& space, const Eigen::VectorXd& y, double small,
                     const SpeedsLeft& left, Eigen::VectorXd& sizes) {
  const std::int64_t most = kMostSweeps * sizes.size();
  InelasticSweeps sweeps(space, y, left);
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

/// Accelerated gradient steps (base/gradient_pace.hpp), each one pass over all contacts, or over
/// those that press: those with an impulse after the last pass over all, or before it. The others
/// have none in both of the last steps.
class InelasticSteps {
 public:
  /// From @p sizes. @param speeds without impulses. @param left as @p speeds must outlive this.
  InelasticSteps(const EnergySpace& space, const Eigen::VectorXd& speeds, const SpeedsLeft& left,
                 Eigen::VectorXd sizes)
      : normals_(space.normals),
        speeds_(speeds),
        left_(left),
        sizes_(std::move(sizes)),
        previous_(sizes_),
        last_(normals_ * sizes_),
        from_(last_),
        after_(last_.size()) {}

  /// Until a step over all contacts meets no speeds beyond @p small that are not left.
  void run(double small) {
    double missed = 0.0;
    for (int k = 0; k < kMostSteps; ++k) {
      const bool whole = k % kWholeStep == 0 || missed <= small;
      missed = step(whole);
      if (whole && missed <= small) return;
    }
  }
  const Eigen::VectorXd& sizes() const { return sizes_; }

 private:
  /// @returns the norm of the speeds that the step meets and that are not left.
  double step(bool whole) {
    t_ = pace_.step();
    momentum_ = pace_.momentum();
    sums_ = {};
    missed_ = 0.0;
    after_.setZero();
    if (whole) {
      pressed_.clear();
      for (Eigen::Index i = 0; i < sizes_.size(); ++i) {
        if (visit(i)) pressed_.push_back(i);
      }
    } else {
      for (const Eigen::Index i : pressed_) visit(i);
    }
    sizes_.swap(previous_);
    sums_.curvature = (after_ - from_).squaredNorm();
    pace_.update(sums_);
    from_ = after_ + pace_.momentum() * (after_ - last_);
    last_.swap(after_);
    return std::sqrt(missed_) / t_;
  }

  /// @returns whether contact @p i has an impulse after the step or before it.
  bool visit(Eigen::Index i) {
    double speed = speeds_[i];
    for (SparseColumns::InnerIterator it(normals_, i); it; ++it) {
      speed += it.value() * from_[it.row()];
    }
    const double here = sizes_[i];
    const double start = here + momentum_ * (here - previous_[i]);
    const double next = std::max(start - t_ * speed, 0.0);
    const double change = next - start;
    sums_.moved += change * change;
    sums_.along += change * (next - here);
    if (std::abs(change) > t_ * left_.of(i, here)) missed_ += change * change;
    previous_[i] = next;
    if (next == 0.0) return here != 0.0;
    for (SparseColumns::InnerIterator it(normals_, i); it; ++it) {
      after_[it.row()] += next * it.value();
    }
    return true;
  }

  const SparseColumns& normals_;
  const Eigen::VectorXd& speeds_;
  const SpeedsLeft& left_;
  GradientPace pace_;
  Eigen::VectorXd sizes_;     ///< l
  Eigen::VectorXd previous_;  ///< l of the step before, in place of which the next one is put
  Eigen::VectorXd last_;      ///< A l
  Eigen::VectorXd from_;      ///< A of what the next step goes from
  Eigen::VectorXd after_;     ///< A l of the step at hand
  std::vector<Eigen::Index> pressed_;  ///< contacts that press
  double t_ = 1.0;
  double momentum_ = 0.0;
  GradientSums sums_;
  double missed_ = 0.0;  ///< square of what step() returns, times t^2
};

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
  const SpeedsLeft left(resting, small / std::sqrt(static_cast<double>(speeds.size())),
                        speeds.size());
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(speeds.size());
  if (!solve_by_sweeps(space, start, small, left, sizes)) {
    InelasticSteps steps(space, speeds, left, std::move(sizes));
    steps.run(small);
    sizes = steps.sizes();
  }
  return least_energy_share(space, start, sizes) * sizes;
}

}  // namespace scree
