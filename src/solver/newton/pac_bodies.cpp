/// The linear systems of pac in the space of the bodies: K = I + B^T H~ B.

#include <algorithm>
#include <cmath>

#include "pac_system.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/cones/small_matrix.hpp"
#include "solver/linear/normal_system.hpp"

namespace scree::pac {
namespace {

class BodySystem final : public System {
 public:
  explicit BodySystem(const ContactProblem& problem)
      : problem_(problem),
        normal_(problem, BodyRows(*body_rows(problem)), kLinear,
                {.symmetric = false, .definite = false, .uniform_blocks = true},
                BodySpace::Storage::whole_if_countable),
        space_(normal_.space()),
        r_(to_rows(problem.r.get())),
        w_(space_.zeros()),
        dw_(w_),
        error_(w_),
        d_error_(w_) {}

  void begin(const Points& x) override {
    space_.balance(x, w_);
    space_.to_ghosts(w_);
    std::fill(error_.begin(), error_.end(), 0.0);
  }

  void expect_easier() override { normal_.linear().expect_easier(); }

  void velocities(const Points& x, Points& u) const override {
    u = r_;
    for_each_place(problem_.cones, [&]<int kDim>(const ConePlace& at) {
      rows_of<kDim>(&u[at.row]) += space_.velocity<kDim>(at.number, w_);
    });
    const std::vector<double>& compliance = problem_.compliance;
    for (std::size_t k = 0; k < compliance.size(); ++k) u[k] += compliance[k] * x[k];
  }

  double momentum_error() const override { return size_of(error_); }

  bool solve(Blocks& h, Points& g, Points& dx) override {
    if (!problem_.compliance.empty()) eliminate_compliance(h, g);
    normal_.use(h);
    space_.balance(g, work_);
    for (std::size_t k = 0; k < space_.n_owned(); ++k) work_[k] -= error_[k];
    const bool solved = normal_.solve(work_, kForcing * std::sqrt(size_of(work_)), dw_);
    dx = g;
    for_each_block(problem_.cones, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
      rows_of<kDim>(&dx[at.row]) -= block * space_.velocity<kDim>(at.number, dw_);
    });
    space_.balance(dx, work_);
    for (std::size_t k = 0; k < space_.n_owned(); ++k) d_error_[k] = dw_[k] - work_[k];
    return solved;
  }

  void advance(double theta) override {
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] += theta * dw_[k];
    for (std::size_t k = 0; k < space_.n_owned(); ++k) error_[k] += theta * d_error_[k];
  }

  const LinearSolver& linear() const override { return normal_.linear(); }
  std::string note() const override { return normal_.note(); }

 private:
  /// H~ and g~ in place of H and g.
  void eliminate_compliance(Blocks& h, Points& g) const {
    for_each_block(problem_.cones, h.data(), [&]<int kDim>(const ConePlace& at, auto block) {
      using Square = cones::Square<kDim>;
      const auto r = rows_of<kDim>(&problem_.compliance[at.row]);
      const Square inverse =
          cones::inverse<kDim>(Square::Identity() + Square(block * r.asDiagonal()));
      block = (inverse * block).eval();
      auto part = rows_of<kDim>(&g[at.row]);
      part = (inverse * part).eval();
    });
  }

  /// Collective. The square of the norm, of the numbers of all owned bodies.
  double size_of(const BodySpace::Numbers& numbers) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < space_.n_owned(); ++k) sum += numbers[k] * numbers[k];
    return sum_over_ranks(problem_.comm, sum);
  }

  const ContactProblem& problem_;
  NormalSystem normal_;
  BodySpace& space_;
  Points r_;
  BodySpace::Numbers w_;
  BodySpace::Numbers dw_;
  BodySpace::Numbers error_;    ///< w - B^T x, of owned bodies
  BodySpace::Numbers d_error_;  ///< change of the momentum error in a whole step
  BodySpace::Numbers work_;
};

}  // namespace

std::unique_ptr<System> make_body_system(const ContactProblem& problem) {
  return std::make_unique<BodySystem>(problem);
}

}  // namespace scree::pac
