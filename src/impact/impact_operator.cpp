#include "scree/impact/impact_operator.hpp"

#include <random>

#include "approaching_contacts.hpp"
#include "nonnegative_minimum.hpp"

namespace scree {
namespace {

/// gauss_seidel with a choice of one of the contacts that approach.
class OneOf : public ImpactOperator {
 public:
  void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) final {
    approach_ = &approach;
    found_.start(approach, thresholds);
  }
  void update(std::int32_t contact) final { found_.update(contact); }
  void apply(std::vector<ScaledImpulse>& impulses) final {
    impulses.clear();
    if (found_.size() == 0) return;
    const std::int32_t i = found_.at(choose(found_.size()));
    impulses.push_back({i, -2.0 * (*approach_)[i]});
  }

 private:
  /// Which of @p n.
  virtual std::int32_t choose(std::int32_t n) = 0;

  const Eigen::VectorXd* approach_ = nullptr;
  InOrder found_;
};

class FirstOf final : public OneOf {
  std::int32_t choose(std::int32_t /*n*/) override { return 0; }
};

class AnyOf final : public OneOf {
 public:
  explicit AnyOf(std::uint64_t seed) : random_(seed) {}

 private:
  std::int32_t choose(std::int32_t n) override {
    return static_cast<std::int32_t>(random_() % static_cast<std::uint64_t>(n));
  }

  std::mt19937_64 random_;
};

class WorstOf final : public ImpactOperator {
 public:
  void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) override {
    approach_ = &approach;
    found_.start(approach, thresholds);
  }
  void update(std::int32_t contact) override { found_.update(contact); }
  void apply(std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    if (found_.empty()) return;
    const std::int32_t i = found_.top();
    impulses.push_back({i, -2.0 * (*approach_)[i]});
  }

 private:
  const Eigen::VectorXd* approach_ = nullptr;
  FastestFirst found_;
};

class Reflections final : public ImpactOperator {
 public:
  explicit Reflections(const Gram& gram)
      : gram_(gram), place_(static_cast<std::size_t>(gram.size()), -1) {}

  void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) override {
    approach_ = &approach;
    found_.start(approach, thresholds);
  }
  void update(std::int32_t contact) override { found_.update(contact); }
  void apply(std::vector<ScaledImpulse>& impulses) override {
    impulses.clear();
    found_.list(violated_);
    if (violated_.empty()) return;
    const auto size = nonnegative_minimum(gram_of_violated(), 2.0 * (*approach_)(violated_));
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
      for (const auto& [row, value] : gram_.column(violated_[static_cast<std::size_t>(k)])) {
        const Eigen::Index at = place_[static_cast<std::size_t>(row)];
        if (at >= 0) gram(at, k) = value;
      }
    }
    for (Eigen::Index k = 0; k < n; ++k) place_[index(k)] = -1;
    return gram;
  }
  std::size_t index(Eigen::Index k) const {
    return static_cast<std::size_t>(violated_[static_cast<std::size_t>(k)]);
  }

  const Gram& gram_;
  const Eigen::VectorXd* approach_ = nullptr;
  InOrder found_;
  std::vector<std::int32_t> violated_;
  std::vector<Eigen::Index> place_;  ///< of a contact among the violated; -1 elsewhere
};

}  // namespace

std::unique_ptr<ImpactOperator> make_impact_operator(ImpactOperatorKind kind, ImpactOrder order,
                                                     std::uint64_t seed, const Gram& gram) {
  if (kind == ImpactOperatorKind::reflections) return std::make_unique<Reflections>(gram);
  if (order == ImpactOrder::lexicographic) return std::make_unique<FirstOf>();
  if (order == ImpactOrder::random) return std::make_unique<AnyOf>(seed);
  return std::make_unique<WorstOf>();
}

}  // namespace scree
