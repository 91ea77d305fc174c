#include "inelastic_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/gradient_pace.hpp"

namespace scree {
namespace {

/// The last resort: what then approaches is left, too.
constexpr int kMostSteps = 10000;
/// Of so many gradient steps one goes over all contacts: in them the front of an impact goes on.
constexpr int kWholeStep = 8;

/// Whether a contact turns a body: none does where all are balls.
bool any_turns(const SparseColumns& normals) {
  const std::span rows(normals.innerIndexPtr(), static_cast<std::size_t>(normals.nonZeros()));
  return std::ranges::any_of(rows, [](int row) { return row % kRowsOfBody >= 3; });
}

/// A contact's column of A, whose entries are those of two bodies at the most.
template <int kRows>
struct NormalColumn {
  using Block = Eigen::Matrix<double, kRows, 1>;
  std::array<Eigen::Index, 2> first = {0, 0};  ///< row of each block
  std::array<Block, 2> block = {Block::Zero(), Block::Zero()};

  double dot(const Eigen::VectorXd& y) const {
    return block[0].dot(y.segment<kRows>(first[0])) + block[1].dot(y.segment<kRows>(first[1]));
  }
  void add_to(Eigen::VectorXd& y, double size) const {
    y.segment<kRows>(first[0]) += size * block[0];
    y.segment<kRows>(first[1]) += size * block[1];
  }
};

/// The columns of @p normals, with the first @p kRows rows of each body alone.
template <int kRows>
std::vector<NormalColumn<kRows>> packed_columns(const SparseColumns& normals) {
  std::vector<NormalColumn<kRows>> columns(static_cast<std::size_t>(normals.cols()));
  for (Eigen::Index i = 0; i < normals.cols(); ++i) {
    NormalColumn<kRows>& column = columns[static_cast<std::size_t>(i)];
    SparseColumns::InnerIterator it(normals, i);
    const Eigen::Index body = it ? it.row() / kRowsOfBody : 0;
    column.first.fill(kRows * body);
    for (; it; ++it) {
      const std::size_t side = it.row() / kRowsOfBody == body ? 0 : 1;
      column.first[side] = kRows * (it.row() / kRowsOfBody);
      column.block[side][it.row() % kRowsOfBody] = it.value();
    }
  }
  return columns;
}

/// Accelerated gradient steps (base/gradient_pace.hpp), each one pass over all contacts, or over
/// those that press: those with an impulse after the last pass over all, or before it. The others
/// have none in both of the last steps.
/// @tparam kRows of a body that contacts move: 3, or 6 where they turn bodies.
template <int kRows>
class InelasticSteps {
 public:
  /// From @p sizes. @param speeds without impulses. @param left as @p speeds must outlive this.
  InelasticSteps(const EnergySpace& space, const Eigen::VectorXd& speeds, const SpeedsLeft& left,
                 Eigen::VectorXd sizes)
      : columns_(packed_columns<kRows>(space.normals)),
        speeds_(speeds),
        left_(left),
        sizes_(std::move(sizes)),
        previous_(sizes_),
        last_(change_by(sizes_, space.normals.rows() / kRowsOfBody * kRows)),
        from_(last_),
        after_(last_.size()) {}

  /// Until a step over all contacts meets no speeds beyond @p small that are not left.
  /// @returns whether one did.
  bool run(double small) {
    double missed = 0.0;
    for (int k = 0; k < kMostSteps; ++k) {
      const bool whole = k % kWholeStep == 0 || missed <= small;
      missed = step(whole);
      if (whole && missed <= small) return true;
    }
    return false;
  }
  const Eigen::VectorXd& sizes() const { return sizes_; }

 private:
  /// Numbers of a step: its length and momentum, and what its contacts sum up.
  struct Pass {
    double t;
    double momentum;
    GradientSums sums = {};
    double missed = 0.0;  ///< square of the changes to speeds that are not left
  };

  /// @returns the norm of the speeds that the step meets and that are not left.
  double step(bool whole) {
    Pass pass{pace_.step(), pace_.momentum()};
    after_.setZero();
    if (whole) {
      pressed_.clear();
      for (Eigen::Index i = 0; i < sizes_.size(); ++i) {
        if (visit(i, pass)) pressed_.push_back(i);
      }
    } else {
      for (const Eigen::Index i : pressed_) visit(i, pass);
    }
    sizes_.swap(previous_);
    pass.sums.curvature = (after_ - from_).squaredNorm();
    pace_.update(pass.sums);
    from_ = after_ + pace_.momentum() * (after_ - last_);
    last_.swap(after_);
    return std::sqrt(pass.missed) / pass.t;
  }

  /// @returns whether contact @p i has an impulse after the step or before it.
  bool visit(Eigen::Index i, Pass& pass) {
    const NormalColumn<kRows>& column = columns_[static_cast<std::size_t>(i)];
    const double speed = speeds_[i] + column.dot(from_);
    const double here = sizes_[i];
    const double start = here + pass.momentum * (here - previous_[i]);
    const double next = std::max(start - pass.t * speed, 0.0);
    const double change = next - start;
    pass.sums.moved += change * change;
    pass.sums.along += change * (next - here);
    if (std::abs(change) > pass.t * left_.of(i, here)) pass.missed += change * change;
    previous_[i] = next;
    if (next == 0.0) return here != 0.0;
    column.add_to(after_, next);
    return true;
  }

  /// A l of @p sizes, so many @p rows.
  Eigen::VectorXd change_by(const Eigen::VectorXd& sizes, Eigen::Index rows) const {
    Eigen::VectorXd change = Eigen::VectorXd::Zero(rows);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].add_to(change, sizes[static_cast<Eigen::Index>(i)]);
    }
    return change;
  }

  std::vector<NormalColumn<kRows>> columns_;  ///< A
  const Eigen::VectorXd& speeds_;
  const SpeedsLeft& left_;
  GradientPace pace_;
  Eigen::VectorXd sizes_;     ///< l
  Eigen::VectorXd previous_;  ///< l of the step before, in place of which the next one is put
  Eigen::VectorXd last_;      ///< A l
  Eigen::VectorXd from_;      ///< A of what the next step goes from
  Eigen::VectorXd after_;     ///< A l of the step at hand
  std::vector<Eigen::Index> pressed_;  ///< contacts that press
};

template <int kRows>
FoundImpulses solved(const EnergySpace& space, const Eigen::VectorXd& speeds, double small,
                     const SpeedsLeft& left, Eigen::VectorXd sizes) {
  InelasticSteps<kRows> steps(space, speeds, left, std::move(sizes));
  const bool settled = steps.run(small);
  return {steps.sizes(), settled};
}

}  // namespace

FoundImpulses solve_by_steps(const EnergySpace& space, const Eigen::VectorXd& speeds, double small,
                             const SpeedsLeft& left, Eigen::VectorXd sizes) {
  return any_turns(space.normals)
             ? solved<kRowsOfBody>(space, speeds, small, left, std::move(sizes))
             : solved<3>(space, speeds, small, left, std::move(sizes));
}

}  // namespace scree
