#include "scree/impact/impact_operator.hpp"

#include <random>

#include "nonnegative_minimum.hpp"

namespace scree {
namespace {

/// The contacts with g_i < -threshold, ascending.
void find_violated(const Eigen::VectorXd& approach, double threshold,
                   std::vector<std::int32_t>& violated) {
  violated.clear();
  for (std::int32_t i = 0; i < approach.size(); ++i) {
    if (approach[i] < -threshold) violated.push_back(i);
  }
}

class FirstOf final : public ImpactOperator {
 public:
  void apply(const Eigen::VectorXd& approach, double threshold,
             std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    for (std::int32_t i = 0; i < approach.size(); ++i) {
      if (approach[i] >= -threshold) continue;
      impulses.push_back({i, -2.0 * approach[i]});
      return;
    }
  }
};

class AnyOf final : public ImpactOperator {
 public:
  explicit AnyOf(std::uint64_t seed) : random_(seed) {}
  void apply(const Eigen::VectorXd& approach, double threshold,
             std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    find_violated(approach, threshold, violated_);
    if (violated_.empty()) return;
    const std::int32_t i = violated_[random_() % violated_.size()];
    impulses.push_back({i, -2.0 * approach[i]});
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::int32_t> violated_;
};

class WorstOf final : public ImpactOperator {
 public:
  void apply(const Eigen::VectorXd& approach, double threshold,
             std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    Eigen::Index i = 0;
    if (approach.size() == 0 || approach.minCoeff(&i) >= -threshold) return;
    impulses.push_back({static_cast<std::int32_t>(i), -2.0 * approach[i]});
  }
};

class Reflections final : public ImpactOperator {
 public:
  explicit Reflections(const SparseColumns& gram)
      : gram_(gram), place_(static_cast<std::size_t>(gram.cols()), -1) {}

  void apply(const Eigen::VectorXd& approach, double threshold,
             std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    find_violated(approach, threshold, violated_);
    if (violated_.empty()) return;
    const auto size = nonnegative_minimum(gram_of_violated(), 2.0 * approach(violated_));
    for (std::size_t k = 0; k < violated_.size(); ++k) {
      const double l = size[static_cast<Eigen::Index>(k)];
      if (l > 0.0) impulses.push_back({violated_[k], l});
    }
  }

 private:
  Eigen::MatrixXd gram_of_violated() {
    const auto n = static_cast<Eigen::Index>(violated_.size());
    for (Eigen::Index k = 0; k < n; ++k) place_[index(k)] = k;
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      for (SparseColumns::InnerIterator it(gram_, violated_[static_cast<std::size_t>(k)]); it;
           ++it) {
        const Eigen::Index row = place_[static_cast<std::size_t>(it.row())];
        if (row >= 0) gram(row, k) = it.value();
      }
    }
    for (Eigen::Index k = 0; k < n; ++k) place_[index(k)] = -1;
    return gram;
  }
  std::size_t index(Eigen::Index k) const {
    return static_cast<std::size_t>(violated_[static_cast<std::size_t>(k)]);
  }

  const SparseColumns& gram_;
  std::vector<std::int32_t> violated_;
  std::vector<Eigen::Index> place_;  ///< of a contact among the violated; -1 elsewhere
};

}  // namespace

std::unique_ptr<ImpactOperator> make_impact_operator(ImpactOperatorKind kind, ImpactOrder order,
                                                     std::uint64_t seed,
                                                     const SparseColumns& gram) {
  if (kind == ImpactOperatorKind::reflections) return std::make_unique<Reflections>(gram);
  if (order == ImpactOrder::lexicographic) return std::make_unique<FirstOf>();
  if (order == ImpactOrder::random) return std::make_unique<AnyOf>(seed);
  return std::make_unique<WorstOf>();
}

}  // namespace scree
