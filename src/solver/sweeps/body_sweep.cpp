#include <algorithm>

#include "batch_rules.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/body_rows.hpp"
#include "shared_bodies.hpp"
#include "sweep.hpp"

namespace scree {
namespace {

class BodySweep final : public Sweep {
 public:
  BodySweep(const ContactProblem& problem, const ContactRule& rule)
      : cones_(problem.cones),
        kept_(body_rows(problem)),
        rows_(*kept_),
        exchange_(problem.comm, rows_.pattern, kBodyDofs),
        shared_(shared_bodies(problem.comm, rows_.pattern)),
        compliance_(problem.compliance),
        w_(rows_.pattern.n_bodies() * kBodyDofs, 0.0) {
    const petsc::ConstView r(problem.r.get());
    r_.assign(r.span().begin(), r.span().end());
    if (compliance_.empty()) compliance_.assign(r_.size(), 0.0);
    before_.resize(kBodyDofs * shared_.local.size());
    rules_ = make_batch_rules(rule, cones_, split_blocks());
  }

  void start(const std::vector<double>& lambda) override {
    present_ = lambda;
    std::fill(w_.begin(), w_.end(), 0.0);
    for_each_cone(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      const auto l = rows_of(cone, &lambda[at.row]);
      for_each_entry<Cone::kDim>(
          rows_.pattern, rows_.values, at.number,
          [&](const auto& block, std::int32_t b) { body(b) += block.transpose() * l; });
    });
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_shared();
  }

  void run(std::vector<double>& lambda) override {
    const LogStage stage(Stage::sweeps);
    for_each_ruled_cone(
        cones_, rules_,
        [&]<class Cone>(const Cone&, const ConePlace& at, BatchRule& rule, std::size_t k) {
          const cones::Rows<Cone::kDim> u = velocity<Cone>(at, lambda);
          cones::Rows<Cone::kDim> change;
          if (!rule.move(k, u.data(), &lambda[at.row], change.data())) return;
          for_each_entry<Cone::kDim>(rows_.pattern, rows_.values, at.number,
                                     [&](const auto& block, std::int32_t b) {
                                       body(b) += sharers_of(b) * (block.transpose() * change);
                                     });
        });
    share_changes();
  }

  void velocities(std::vector<double>& u) const override {
    u.resize(r_.size());
    for_each_cone(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      rows_of(cone, &u[at.row]) = velocity<Cone>(at, present_);
    });
  }

 private:
  template <class Cone>
  cones::Rows<Cone::kDim> velocity(const ConePlace& at, const std::vector<double>& lambda) const {
    using Rows = Eigen::Map<const cones::Rows<Cone::kDim>>;
    cones::Rows<Cone::kDim> u =
        Rows(&r_[at.row]) + Rows(&compliance_[at.row]).cwiseProduct(Rows(&lambda[at.row]));
    for_each_entry<Cone::kDim>(
        rows_.pattern, rows_.values, at.number,
        [&](const auto& block, std::int32_t b) { u.noalias() += block * body(b); });
    return u;
  }

  /// D_ii = sum_b k_b B_ib B_ib^T + R_i.
  std::vector<double> split_blocks() const {
    std::vector<double> blocks;
    for_each_cone(cones_, [&]<class Cone>(const Cone&, const ConePlace& at) {
      cones::Square<Cone::kDim> d = cones::Square<Cone::kDim>::Zero();
      for_each_entry<Cone::kDim>(rows_.pattern, rows_.values, at.number,
                                 [&](const auto& block, std::int32_t b) {
                                   d += sharers_of(b) * (block * block.transpose());
                                 });
      for (int k = 0; k < Cone::kDim; ++k) d(k, k) += compliance_[at.row + std::size_t(k)];
      blocks.insert(blocks.end(), d.data(), d.data() + d.size());  // symmetric: in either order
    });
    return blocks;
  }

  Eigen::Map<Vec6> body(std::int32_t b) {
    return Eigen::Map<Vec6>(&w_[kBodyDofs * static_cast<std::size_t>(b)]);
  }
  Eigen::Map<const Vec6> body(std::int32_t b) const {
    return Eigen::Map<const Vec6>(&w_[kBodyDofs * static_cast<std::size_t>(b)]);
  }
  double sharers_of(std::int32_t b) const { return shared_.sharers[b]; }

  void remember_shared() {
    for (std::size_t s = 0; s < shared_.local.size(); ++s) {
      std::copy_n(&w_[kBodyDofs * shared_.local[s]], kBodyDofs, &before_[kBodyDofs * s]);
    }
  }

  /// Sums the changes that each rank made to its part of a shared body, once over the whole body.
  void share_changes() {
    const std::size_t n_owned = rows_.pattern.n_owned;
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

  const Cones& cones_;
  std::shared_ptr<const BodyRows> kept_;
  const BodyRows& rows_;
  BodyExchange exchange_;
  SharedBodies shared_;
  std::vector<double> r_;
  std::vector<double> compliance_;  ///< diagonal of R
  std::vector<std::unique_ptr<BatchRule>> rules_;
  std::vector<double> present_;  ///< impulses given to start()
  std::vector<double> w_;        ///< B^T lambda, six numbers a local body
  std::vector<double> before_;   ///< w of those at the start of the sweep
};

}  // namespace

std::unique_ptr<Sweep> make_body_sweep(const ContactProblem& problem, const ContactRule& rule) {
  return std::make_unique<BodySweep>(problem, rule);
}

}  // namespace scree
