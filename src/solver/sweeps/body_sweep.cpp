#include <algorithm>

#include "scree/base/log_stage.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/solver/sweeps/sweep.hpp"
#include "scree/solver/sweeps/sweep_common.hpp"

namespace scree {
namespace {

using Entry = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;

/// u += B_ib w_b
inline void add_velocity(const double* b, const double* w, double* u) {
  for (int k = 0; k < 3; ++k) {
    const double* row = b + 6 * k;
    u[k] += (row[0] * w[0] + row[1] * w[1] + row[2] * w[2]) +
            (row[3] * w[3] + row[4] * w[4] + row[5] * w[5]);
  }
}

/// w_b += B_ib^T l
inline void add_impulse(const double* b, const double* l, double* w) {
  for (int c = 0; c < 6; ++c) w[c] += b[c] * l[0] + b[6 + c] * l[1] + b[12 + c] * l[2];
}

class BodySweep final : public Sweep {
 public:
  BodySweep(const ContactProblem& problem, ContactRule& rule)
      : rule_(rule),
        kept_(body_rows(problem)),
        rows_(*kept_),
        exchange_(problem.comm, rows_, kBodyDofs),
        r_(padded(problem.r.get(), problem.cones)),
        w_(rows_.n_bodies() * kBodyDofs, 0.0) {
    count_sharers(problem.comm);
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      Mat3 a = Mat3::Zero();
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        const Entry b(rows_.block(e));
        a += sharers_of(e) * b * b.transpose();
      }
      std::array<double, 9> block{};
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block.data()) = a;
      rule_.add_contact(block, problem.cones.mu[i]);
    }
  }

  void start(const std::vector<double>& lambda) override {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        add_impulse(rows_.block(e), &lambda[3 * i], body(e));
      }
    }
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_shared();
  }

  void run(std::vector<double>& lambda) override {
    const LogStage stage(Stage::sweeps);
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      const std::int32_t first = rows_.first[i];
      const std::int32_t end = rows_.first[i + 1];
      std::array<double, 3> u{r_[3 * i], r_[3 * i + 1], r_[3 * i + 2]};
      for (std::int32_t e = first; e < end; ++e) add_velocity(rows_.block(e), body(e), u.data());
      std::array<double, 3> change;
      if (!rule_.move(i, u.data(), &lambda[3 * i], change.data())) continue;
      for (std::int32_t e = first; e < end; ++e) {
        const double k = sharers_of(e);
        const std::array<double, 3> felt{k * change[0], k * change[1], k * change[2]};
        add_impulse(rows_.block(e), felt.data(), body(e));
      }
    }
    share_changes();
  }

  void velocities(std::vector<double>& u) const override {
    u = r_;
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        add_velocity(rows_.block(e), body(e), &u[3 * i]);
      }
    }
  }

 private:
  double* body(std::int32_t entry) {
    return w_.data() + kBodyDofs * rows_.body[static_cast<std::size_t>(entry)];
  }
  const double* body(std::int32_t entry) const {
    return w_.data() + kBodyDofs * rows_.body[static_cast<std::size_t>(entry)];
  }
  double sharers_of(std::int32_t entry) const {
    return sharers_[static_cast<std::size_t>(rows_.body[static_cast<std::size_t>(entry)])];
  }

  /// k_b of every body, and the list of those whose changes several ranks must hear of.
  void count_sharers(MPI_Comm comm) {
    sharers_.assign(rows_.n_bodies(), 0.0);
    for (const std::int32_t b : rows_.body) sharers_[static_cast<std::size_t>(b)] = 1.0;
    BodyExchange counts(comm, rows_, 1);
    counts.add_to_owners(sharers_);
    counts.to_ghosts(sharers_);
    const auto n_owned = static_cast<std::size_t>(rows_.n_owned);
    for (std::size_t b = 0; b < sharers_.size(); ++b) {
      if (b >= n_owned || sharers_[b] > 1.0) shared_.push_back(b);
    }
    before_.resize(kBodyDofs * shared_.size());
  }

  void remember_shared() {
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      std::copy_n(&w_[kBodyDofs * shared_[s]], kBodyDofs, &before_[kBodyDofs * s]);
    }
  }

  /// What each rank did to its part of a shared body, once over the whole body, summed.
  void share_changes() {
    const auto n_owned = static_cast<std::size_t>(rows_.n_owned);
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      const std::size_t b = shared_[s];
      for (std::size_t k = 0; k < kBodyDofs; ++k) {
        double& w = w_[kBodyDofs * b + k];
        const double before = before_[kBodyDofs * s + k];
        w = (w - before) / sharers_[b] + (b < n_owned ? before : 0.0);
      }
    }
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_shared();
  }

  ContactRule& rule_;
  std::shared_ptr<const BodyRows> kept_;
  const BodyRows& rows_;
  BodyExchange exchange_;
  std::vector<double> r_;
  std::vector<double> w_;            ///< B^T lambda, six numbers a local body
  std::vector<double> sharers_;      ///< k_b: ranks whose cones touch the body
  std::vector<std::size_t> shared_;  ///< ghosts, and owned bodies with k_b > 1
  std::vector<double> before_;       ///< w of those at the start of the sweep
};

}  // namespace

std::unique_ptr<Sweep> make_body_sweep(const ContactProblem& problem, ContactRule& rule) {
  return std::make_unique<BodySweep>(problem, rule);
}

}  // namespace scree
