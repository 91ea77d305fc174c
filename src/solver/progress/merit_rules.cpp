#include "solver/progress/merit_rules.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "scree/base/check.hpp"

namespace scree {

std::optional<MeritEnd> MeritRules::judge(Vec lambda, double merit) {
  if (!std::isfinite(merit)) return std::nullopt;
  std::optional<MeritEnd> end = judge_merit(merit);
  return end ? end : judge_change(lambda);
}

std::optional<MeritEnd> MeritRules::judge_merit(double merit) {
  const double last = std::exchange(last_merit_, merit);
  if (merit < options_.absolute)
    return MeritEnd{MeritRule::absolute, fmt::format("merit {:.3g}", merit)};
  if (std::abs(merit - last) < options_.relative * std::abs(last))
    return MeritEnd{MeritRule::relative, fmt::format("merit {:.3g} after {:.3g}", merit, last)};
  return std::nullopt;
}

std::optional<MeritEnd> MeritRules::judge_change(Vec lambda) {
  if (options_.change <= 0.0) return std::nullopt;
  double change = std::numeric_limits<double>::infinity();
  if (last_) {
    SCREE_PETSC(VecAXPY(last_.get(), -1.0, lambda));
    SCREE_PETSC(VecNorm(last_.get(), NORM_INFINITY, &change));
  } else {
    last_ = petsc::duplicate(lambda);
  }
  SCREE_PETSC(VecCopy(lambda, last_.get()));
  if (!(change < options_.change)) return std::nullopt;
  return MeritEnd{MeritRule::change, fmt::format("no impulse changed by more than {:.3g}", change)};
}

}  // namespace scree
