#include <algorithm>
#include <cmath>

#include "batch_rules.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/matrix_rows.hpp"
#include "sweep.hpp"

namespace scree {
namespace {

class MatrixSweep final : public Sweep {
 public:
  MatrixSweep(const ContactProblem& problem, const ContactRule& rule)
      : cones_(problem.cones),
        matrix_(assemble_delassus(problem)),
        rows_(matrix_.get(), problem.cones),
        impulse_(petsc::duplicate(problem.r.get())) {
    const petsc::ConstView r(problem.r.get());
    r_.assign(r.span().begin(), r.span().end());
    std::vector<double> blocks = delassus_diagonal_blocks(problem);
    double* block = blocks.data();
    for (std::size_t i = 0; i < cones_.count(); ++i) {
      const int dim = cones_.dim(i);
      for (int k = 0; k < dim; ++k) block[k * (dim + 1)] += rows_.coupling(i);
      block += dim * dim;
    }
    rules_ = make_batch_rules(rule, cones_, cones_.batches, blocks);
  }

  void start(const std::vector<double>& lambda) override { fetch(lambda); }

  void run(std::vector<double>& lambda) override {
    const LogStage stage(Stage::sweeps);
    for_each_ruled_cone(cones_, cones_.batches, rules_,
                        [&]<int kDim>(const ConePlace& at, BatchRule& rule, std::size_t k) {
                          cones::Rows<kDim> u = rows_of<kDim>(&std::as_const(outer_)[at.row]);
                          rows_.add_rows(at.number, lambda.data(), u.data());
                          cones::Rows<kDim> change;
                          rule.move(k, u.data(), &lambda[at.row], change.data());
                        });
    fetch(lambda);
  }

  void velocities(std::vector<double>& u) const override {
    u = outer_;
    for (std::size_t i = 0; i < cones_.count(); ++i) {
      rows_.add_rows(i, present_.data(), &u[cones_.row(i)]);
    }
  }

 private:
  /// outer_ = r and what the impulses of other ranks give to this rank's contacts.
  void fetch(const std::vector<double>& lambda) {
    present_ = lambda;
    std::copy(lambda.begin(), lambda.end(), petsc::View(impulse_.get()).data());
    outer_ = r_;
    rows_.add_outer(impulse_.get(), outer_);
  }

  const Cones& cones_;
  petsc::Matrix matrix_;
  MatrixRows rows_;
  std::vector<double> r_;
  std::vector<std::unique_ptr<BatchRule>> rules_;
  petsc::Vector impulse_;
  std::vector<double> present_;
  std::vector<double> outer_;
};

}  // namespace

std::unique_ptr<Sweep> make_matrix_sweep(const ContactProblem& problem, const ContactRule& rule) {
  return std::make_unique<MatrixSweep>(problem, rule);
}

std::unique_ptr<Sweep> make_sweep(const ContactProblem& problem, const ContactRule& rule) {
  return has_body_rows(problem) ? make_body_sweep(problem, rule) : make_matrix_sweep(problem, rule);
}

}  // namespace scree
