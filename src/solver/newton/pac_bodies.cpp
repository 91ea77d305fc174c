/// The linear systems of pac in the space of the bodies: K = I + B^T H B.

#include <algorithm>
#include <cmath>

#include "pac_system.hpp"
#include "scree/base/parallel.hpp"
#include "scree/solver/linear/body_space.hpp"
#include "scree/solver/sweeps/sweep_common.hpp"

namespace scree::pac {
namespace {

class BodySystem final : public System {
 public:
  explicit BodySystem(const ContactProblem& problem)
      : comm_(problem.comm),
        space_(problem, BodyRows(*body_rows(problem))),
        linear_(kLinear, {.symmetric = false, .definite = false, .uniform_blocks = true}),
        r_(padded(problem.r.get(), problem.cones)),
        w_(space_.zeros()),
        dw_(w_),
        error_(w_),
        d_error_(w_),
        rhs_(petsc::make_vector(comm_, space_.n_owned())),
        solution_(petsc::duplicate(rhs_.get())) {}

  void begin(const Points& x) override {
    space_.balance(x, w_);
    space_.to_ghosts(w_);
    std::fill(error_.begin(), error_.end(), 0.0);
  }

  void expect_easier() override { linear_.expect_easier(); }

  void velocities(Points& u) const override {
    u.resize(space_.n_cones());
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = space_.velocity(i, w_) + Eigen::Map<const Vec3>(&r_[3 * i]);
    }
  }

  double momentum_error() const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < space_.n_owned(); ++k) sum += error_[k] * error_[k];
    return sum_over_ranks(comm_, sum);
  }

  bool solve(const std::vector<Mat3>& h, const Points& g, Points& dx) override {
    space_.assemble(h);
    linear_.use(space_.matrix());
    space_.balance(g, work_);
    double size = 0.0;
    {
      const petsc::View rhs(rhs_.get());
      for (std::size_t k = 0; k < space_.n_owned(); ++k) {
        rhs[k] = work_[k] - error_[k];
        size += rhs[k] * rhs[k];
      }
    }
    const double absolute = kForcing * std::sqrt(sum_over_ranks(comm_, size));
    const bool solved = linear_.solve(rhs_.get(), solution_.get(), absolute);
    {
      const petsc::ConstView change(solution_.get());
      std::copy_n(change.data(), space_.n_owned(), dw_.begin());
    }
    space_.to_ghosts(dw_);
    dx.resize(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) dx[i] = g[i] - h[i] * space_.velocity(i, dw_);
    space_.balance(dx, work_);
    for (std::size_t k = 0; k < space_.n_owned(); ++k) d_error_[k] = dw_[k] - work_[k];
    return solved;
  }

  void advance(double theta) override {
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] += theta * dw_[k];
    for (std::size_t k = 0; k < space_.n_owned(); ++k) error_[k] += theta * d_error_[k];
  }

  const LinearSolver& linear() const override { return linear_; }

 private:
  MPI_Comm comm_;
  BodySpace space_;
  LinearSolver linear_;
  std::vector<double> r_;
  BodySpace::Numbers w_;
  BodySpace::Numbers dw_;
  BodySpace::Numbers error_;    ///< w - B^T x, of owned bodies
  BodySpace::Numbers d_error_;  ///< of a whole step
  BodySpace::Numbers work_;
  petsc::Vector rhs_;
  petsc::Vector solution_;
};

}  // namespace

std::unique_ptr<System> make_body_system(const ContactProblem& problem) {
  return std::make_unique<BodySystem>(problem);
}

}  // namespace scree::pac
