#include "pair_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_numbers.hpp"
#include "scree/base/enumeration.hpp"
#include "scree/base/instructions.hpp"
#include "scree/base/math.hpp"

namespace scree {
namespace {

constexpr std::size_t kRow = 8;  ///< numbers of a body in the kernels' rows

/// The bodies of the kernels, as rules move them (ruled_rows.hpp).
template <class T>
struct KernelBodies {
  T* rows;
  double unit;

  Vec6 get(std::int32_t b) const {
    return unit * Eigen::Map<const Eigen::Vector<T, 6>>(at(b)).template cast<double>();
  }
  void add(std::int32_t b, const Vec6& x) const {
    Eigen::Map<Eigen::Vector<T, 6>> row(at(b));
    row = (row.template cast<double>() + x / unit).template cast<T>();
  }

 private:
  T* at(std::int32_t b) const { return rows + kRow * static_cast<std::size_t>(b); }
};

}  // namespace

template <class T>
void PairSweep<T>::take(const PairRows& rows, const SharedBodies& shared, LocalLaw law) {
  form_ = rows.form;
  refined_ = false;
  impulse_unit_ = mean_mass(rows);
  body_unit_ = form_ == PairForm::rows ? std::sqrt(impulse_unit_) : 1.0;
  split_by_cone(rows, ranges_);
  groups_.resize(ranges_.size());
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    groups_[k].take(rows, ranges_[k], kernels_.width, shared, {law, impulse_unit_});
  }
  ruled_.take(rows.ruled);
  const std::size_t n_rows = rows.n_bodies + 2 * kernels_.width;
  bodies_.assign(kRow * n_rows, T(0));
  masses_.assign(form_ == PairForm::points ? kRow * n_rows : 0, T(0));
  for (std::size_t b = 0; b < rows.n_bodies; ++b) take_body(rows, b, shared.sharers[b]);
  before_ = bodies_;
  const auto own = static_cast<std::ptrdiff_t>(rows.n_bodies - shared.n_ghosts);
  sharers_.assign(shared.sharers.begin(), shared.sharers.begin() + own);
}

/// The body's own numbers.
template <class T>
void PairSweep<T>::take_body(const PairRows& rows, std::size_t b, double sharers) {
  T* row = &bodies_[kRow * b];
  if (form_ == PairForm::rows) {
    row[6] = static_cast<T>(sharers);
    return;
  }
  const double unit = impulse_unit_ * sharers;
  const BodyMass mass = rows.masses[b];
  row[6] = static_cast<T>(unit * mass.linear[0]);
  row[7] = static_cast<T>(unit * (form_ == PairForm::spheres ? mass.angular[0] : mass.linear[1]));
  if (form_ == PairForm::spheres) return;
  T* more = &masses_[kRow * b];
  *more++ = static_cast<T>(unit * mass.linear[2]);
  for (const double x : mass.angular) *more++ = static_cast<T>(unit * x);
}

template <class T>
void PairSweep<T>::set_impulses(const PairRows& rows, std::span<const double> lambda) {
  for (ConeGroup<T>& group : groups_) group.set_impulses(rows, lambda);
  ruled_.set_impulses(lambda);
}

template <class T>
void PairSweep<T>::set_bodies(std::span<const double> w) {
  const double per_unit = 1.0 / body_unit_;
  for (std::size_t b = 0; b < w.size() / 6; ++b) {
    for (std::size_t k = 0; k < 6; ++k) {
      const std::size_t at = kRow * b + k;
      const T fresh = static_cast<T>(w[6 * b + k] * per_unit);
      bodies_[at] += fresh - before_[at];
      before_[at] = fresh;
    }
  }
}

template <class T>
bool PairSweep<T>::can_refine() const {
  return ruled_.empty() &&
         std::ranges::all_of(groups_, [](const ConeGroup<T>& group) { return group.can_refine(); });
}

template <class T>
void PairSweep<T>::refine(const PairRows& rows, std::span<const double> lambda,
                          std::span<const double> w) {
  // y - x is begun anew: it was rounded as whole impulses are
  const bool begins = !refined_;
  refined_ = true;
  for (ConeGroup<T>& group : groups_) {
    if (begins) group.rest();
    group.refine(rows, lambda, w);
  }
  for (std::size_t b = 0; b < rows.n_bodies; ++b) {
    for (std::size_t at = kRow * b; at < kRow * b + 6; ++at) {
      bodies_[at] = begins ? T(0) : bodies_[at] - before_[at];
      before_[at] = T(0);
    }
  }
}

template <class T>
double PairSweep<T>::run(const SweepFactors& factors, SweepPart part) {
  if (ruled_.empty() || part == SweepPart::whole) return run_part(factors, part);
  return part == SweepPart::shared ? run_part(factors, SweepPart::whole) : 0.0;
}

template <class T>
double PairSweep<T>::run_part(const SweepFactors& factors, SweepPart part) {
  const SweepArguments<T> a = arguments(factors);
  double moved = 0.0;
  for (ConeGroup<T>& group : groups_) moved += group.run(kernels_, a, part);
  const KernelBodies<T> bodies{bodies_.data(), body_unit_};
  return impulse_unit_ * moved + ruled_.run(bodies, factors.momentum);
}

template <class T>
SweepArguments<T> PairSweep<T>::arguments(const SweepFactors& factors) {
  SweepArguments<T> a;
  a.rows = bodies_.data();
  a.from = from_.data();
  a.masses = masses_.empty() ? nullptr : masses_.data();
  a.step = static_cast<T>(factors.step);
  a.relaxation = static_cast<T>(factors.relaxation);
  a.momentum = static_cast<T>(factors.momentum);
  return a;
}

template <class T>
void PairSweep<T>::begin_step() {
  from_ = bodies_;
}

template <class T>
GradientSums PairSweep<T>::step(const SweepFactors& factors, SweepPart part) {
  const SweepArguments<T> a = arguments(factors);
  GradientSums sums;
  for (ConeGroup<T>& group : groups_) sums += group.step(kernels_, a, part);
  return {impulse_unit_ * sums.moved, impulse_unit_ * sums.along, impulse_unit_ * sums.curvature};
}

template <class T>
double PairSweep<T>::curvature_of_bodies() const {
  double sum = 0.0;
  run_by(instructions(), [&, x = bodies_.data(), y = from_.data()] {
    for (std::size_t b = 0; b < sharers_.size(); ++b) {
      const std::size_t row = kRow * b;
      std::array<double, kRow> square;
      for (std::size_t k = 0; k < kRow; ++k) {
        const double change = static_cast<double>(x[row + k] - y[row + k]);
        square[k] = change * change;
      }
      // own numbers, k/m and k/I, are 0 where nothing moves
      constexpr double kNone = 1e-300;
      sum += sharers_[b] *
             ((square[0] + square[1] + square[2]) / (static_cast<double>(x[row + 6]) + kNone) +
              (square[3] + square[4] + square[5]) / (static_cast<double>(x[row + 7]) + kNone));
    }
  });
  return impulse_unit_ * sum;
}

template <class T>
void PairSweep<T>::move_on(double momentum) {
  const T factor = static_cast<T>(momentum);
  run_by(instructions(), [&, bodies = bodies_.data(), before = before_.data()] {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const T now = bodies[k];
      bodies[k] = now + factor * (now - before[k]);
      before[k] = now;
    }
  });
}

template <class T>
void PairSweep<T>::impulses(const PairRows& rows, std::span<double> lambda) const {
  for (const ConeGroup<T>& group : groups_) group.impulses(rows, lambda);
  ruled_.impulses(lambda);
}

template class PairSweep<double>;
template class PairSweep<float>;

}  // namespace scree
