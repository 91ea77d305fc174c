#include <algorithm>
#include <cmath>

#include "scree/base/log_stage.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/matrix_rows.hpp"
#include "scree/solver/sweeps/sweep.hpp"
#include "scree/solver/sweeps/sweep_common.hpp"

namespace scree {
namespace {

class MatrixSweep final : public Sweep {
 public:
  MatrixSweep(const ContactProblem& problem, ContactRule& rule)
      : rule_(rule),
        matrix_(assemble_delassus(problem)),
        rows_(matrix_.get(), problem.cones),
        r_(padded(problem.r.get(), problem.cones)),
        cones_(problem.cones),
        impulse_(petsc::duplicate(problem.r.get())) {
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      std::array<double, 9> a = rows_.diagonal(i);
      for (std::size_t k = 0; k < 3; ++k) a[4 * k] += rows_.coupling(i);
      rule_.add_contact(a, cones_.mu[i]);
    }
  }

  void start(const std::vector<double>& lambda) override { fetch(lambda); }

  void run(std::vector<double>& lambda) override {
    const LogStage stage(Stage::sweeps);
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      std::array<double, 3> u{outer_[3 * i], outer_[3 * i + 1], outer_[3 * i + 2]};
      rows_.add_row(i, lambda.data(), u.data());
      std::array<double, 3> change;
      rule_.move(i, u.data(), &lambda[3 * i], change.data());
    }
    fetch(lambda);
  }

  void velocities(std::vector<double>& u) const override {
    u = outer_;
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      rows_.add_row(i, present_.data(), &u[3 * i]);
    }
  }

 private:
  /// outer_ = r and what the impulses of other ranks give to this rank's contacts.
  void fetch(const std::vector<double>& lambda) {
    present_ = lambda;
    unpad(lambda, cones_, impulse_.get());
    outer_ = r_;
    rows_.add_outer(impulse_.get(), outer_);
  }

  ContactRule& rule_;
  petsc::Matrix matrix_;
  MatrixRows rows_;
  std::vector<double> r_;
  const Cones& cones_;
  petsc::Vector impulse_;
  std::vector<double> present_;
  std::vector<double> outer_;
};

}  // namespace

std::unique_ptr<Sweep> make_matrix_sweep(const ContactProblem& problem, ContactRule& rule) {
  return std::make_unique<MatrixSweep>(problem, rule);
}

std::unique_ptr<Sweep> make_sweep(const ContactProblem& problem, ContactRule& rule) {
  return has_body_rows(problem) ? make_body_sweep(problem, rule) : make_matrix_sweep(problem, rule);
}

}  // namespace scree
