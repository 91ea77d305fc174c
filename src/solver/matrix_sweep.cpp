#include <algorithm>
#include <cmath>

#include "scree/base/log_stage.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/matrix_rows.hpp"
#include "sweep.hpp"
#include "sweep_common.hpp"

namespace scree {
namespace {

class MatrixSweep final : public Sweep {
 public:
  explicit MatrixSweep(const ContactProblem& problem)
      : law_(problem.friction),
        matrix_(assemble_delassus(problem)),
        rows_(matrix_.get(), problem.cones),
        r_(padded(problem.r.get(), problem.cones)),
        cones_(problem.cones),
        impulse_(petsc::duplicate(problem.r.get())) {
    contacts_.reserve(rows_.n_cones());
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      std::array<double, 9> a = rows_.diagonal(i);
      for (std::size_t k = 0; k < 3; ++k) a[4 * k] += rows_.coupling(i);
      contacts_.emplace_back(a, cones_.mu[i]);
    }
  }

  void start(const std::vector<double>& lambda) override { fetch(lambda); }

  void run(double omega, std::vector<double>& lambda) override {
    const LogStage stage(Stage::sweeps);
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      std::array<double, 3> u{outer_[3 * i], outer_[3 * i + 1], outer_[3 * i + 2]};
      rows_.add_row(i, lambda.data(), u.data());
      std::array<double, 3> change;
      relax_contact(contacts_[i], law_, omega, u.data(), &lambda[3 * i], change.data());
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

  FrictionLaw law_;
  petsc::Matrix matrix_;
  MatrixRows rows_;
  std::vector<double> r_;
  const Cones& cones_;
  petsc::Vector impulse_;
  std::vector<double> present_;
  std::vector<double> outer_;
  std::vector<OneContact> contacts_;
};

}  // namespace

std::unique_ptr<Sweep> make_matrix_sweep(const ContactProblem& problem) {
  return std::make_unique<MatrixSweep>(problem);
}

std::unique_ptr<Sweep> make_sweep(const ContactProblem& problem) {
  return has_body_rows(problem) ? make_body_sweep(problem) : make_matrix_sweep(problem);
}

}  // namespace scree
