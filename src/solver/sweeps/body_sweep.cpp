#include <algorithm>

#include "ruled_rows.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/body_rows.hpp"
#include "shared_bodies.hpp"
#include "sweep.hpp"

namespace scree {
namespace {

/// The numbers of the bodies, six each.
template <class Number>
struct BodyNumbers {
  Number* w;

  Eigen::Map<const Vec6> get(std::int32_t b) const { return Eigen::Map<const Vec6>(at(b)); }
  template <class Six>
  void add(std::int32_t b, const Six& x) const {
    Vec6::Map(at(b)) += x;
  }

 private:
  Number* at(std::int32_t b) const { return w + kBodyDofs * static_cast<std::size_t>(b); }
};

class BodySweep final : public Sweep {
 public:
  BodySweep(const ContactProblem& problem, const ContactRule& rule)
      : kept_(body_rows(problem)),
        pattern_(kept_->pattern),
        exchange_(body_exchange(problem)),
        shared_(shared_bodies(pattern_, exchange_)),
        rows_({.problem = problem,
               .pattern = pattern_,
               .blocks = kept_->values,
               .sharers = shared_.sharers},
              rule),
        w_(pattern_.n_bodies() * kBodyDofs, 0.0),
        before_(kBodyDofs * shared_.local.size()) {}

  void start(const std::vector<double>& lambda) override {
    present_ = lambda;
    std::fill(w_.begin(), w_.end(), 0.0);
    rows_.add_impulses(lambda, w_);
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_shared();
  }

  void run(std::vector<double>& lambda) override {
    const LogStage stage(Stage::sweeps);
    rows_.sweep(lambda, BodyNumbers<double>{w_.data()});
    share_changes();
  }

  void velocities(std::vector<double>& u) const override {
    u.resize(rows_.n_rows());
    rows_.velocities(present_, BodyNumbers<const double>{w_.data()}, u);
  }

 private:
  void remember_shared() {
    for (std::size_t s = 0; s < shared_.local.size(); ++s) {
      std::copy_n(&w_[kBodyDofs * shared_.local[s]], kBodyDofs, &before_[kBodyDofs * s]);
    }
  }

  /// Sums the changes that each rank made to its part of a shared body, once over the whole body.
  void share_changes() {
    const std::size_t n_owned = pattern_.n_owned;
    for (std::size_t s = 0; s < shared_.local.size(); ++s) {
      const std::size_t b = shared_.local[s];
      for (std::size_t k = 0; k < kBodyDofs; ++k) {
        double& w = w_[kBodyDofs * b + k];
        const double before = before_[kBodyDofs * s + k];
        w = (w - before) / shared_.sharers[b] + (b < n_owned ? before : 0.0);
      }
    }
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_shared();
  }

  std::shared_ptr<const BodyRows> kept_;
  const BodyPattern& pattern_;
  BodyExchange& exchange_;  ///< the problem's
  SharedBodies shared_;
  RuledRows rows_;
  std::vector<double> present_;  ///< impulses given to start()
  std::vector<double> w_;        ///< B^T lambda, six numbers a local body
  std::vector<double> before_;   ///< w of those at the start of the sweep
};

}  // namespace

std::unique_ptr<Sweep> make_body_sweep(const ContactProblem& problem, const ContactRule& rule) {
  return std::make_unique<BodySweep>(problem, rule);
}

}  // namespace scree
