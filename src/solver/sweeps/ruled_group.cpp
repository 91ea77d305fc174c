#include "ruled_group.hpp"

#include <algorithm>

namespace scree {

void RuledGroup::take(const RuledRows* rows) {
  rows_ = rows;
  const std::size_t n = rows == nullptr ? 0 : rows->n_rows();
  impulse_.assign(n, 0.0);
  result_.assign(n, 0.0);
}

void RuledGroup::set_impulses(std::span<const double> lambda) {
  if (rows_ == nullptr) return;
  std::ranges::copy(rows_->among(lambda), impulse_.begin());
  result_ = impulse_;
}

void RuledGroup::impulses(std::span<double> lambda) const {
  if (rows_ != nullptr) std::ranges::copy(result_, rows_->among(lambda).begin());
}

/// The results of the sweep become x, and y follows.
double RuledGroup::move_on(double momentum) {
  double moved = 0.0;
  for (std::size_t k = 0; k < swept_.size(); ++k) {
    const double change = swept_[k] - impulse_[k];
    moved += rows_->weights()[k] * change * change;
    impulse_[k] = swept_[k] + momentum * (swept_[k] - result_[k]);
    result_[k] = swept_[k];
  }
  return moved;
}

}  // namespace scree
