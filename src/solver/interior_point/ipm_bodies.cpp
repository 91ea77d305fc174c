/// The linear systems in the space of the bodies: K = I + G^T (S + reg)^-1 G, summed or by its products.

#include <algorithm>
#include <cmath>
#include <exception>

#include "ipm_system.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/solver/linear/body_space.hpp"

namespace scree::ipm {
namespace {

/// Solves with a factorisation are repeated on the residual of the factored form.
constexpr int kRefinements = 2;

using Numbers = BodySpace::Numbers;

class BodySystem final : public System {
 public:
  BodySystem(const ContactProblem& problem, const Units& units, const IpmOptions& options)
      : comm_(problem.comm),
        space_(
            problem, in_units(BodyRows(*body_rows(problem)), units),
            options.matrix_free ? BodySpace::Storage::diagonal_blocks : BodySpace::Storage::whole),
        linear_(linear_options(options),
                {.symmetric = true, .definite = true, .uniform_blocks = true}),
        n_owned_(space_.n_owned()),
        w_(space_.zeros()),
        dw_(w_),
        r_w_(w_),
        rhs_(petsc::make_vector(comm_, n_owned_)),
        solution_(petsc::duplicate(rhs_.get())) {
    const auto here = static_cast<double>(kConeRows * space_.n_cones() + n_owned_);
    n_residuals_ = std::max(1.0, sum_over_ranks(comm_, here));
    n_dofs_ = std::max(1.0, sum_over_ranks(comm_, static_cast<double>(n_owned_)));
    if (options.matrix_free) make_product();
  }

  void set_bias(const Points& c) override { c_ = c; }

  /// min |w|^2 + |G w + c|^2, y = G w + c, x = -y, both lifted into the cone: the momentum balance
  /// holds up to the lift.
  bool start(double shift, Points& x, Points& y) override {
    const Scaling unit = unit_scaling(c_.size());
    prepare(unit);
    w_.assign(w_.size(), 0.0);
    r_w_.assign(w_.size(), 0.0);
    dw_.assign(w_.size(), 0.0);
    Points minus_c = c_;
    for (Point& p : minus_c) p = -p;
    const Points zero(c_.size(), Point::Zero());
    // (I + G^T G) w = -G^T c is the system of a step for g = 0, r_y = -c, r_w = 0
    constexpr double kStartTolerance = 1e-2;  // it is only a start
    const bool solved = solve(unit, zero, minus_c, kStartTolerance, false, x);
    w_ = dw_;
    y.resize(c_.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = space_.velocity(i, w_) + c_[i];
      x[i] = -y[i];
    }
    const double lift_x = violation(comm_, x) + shift;
    const double lift_y = violation(comm_, y) + shift;
    for (Point& p : x) p[0] += lift_x;
    for (Point& p : y) p[0] += lift_y;
    return solved;
  }

  double residuals(const Points& x, const Points& y, Points& r_y) override {
    double sum = 0.0;
    r_y.resize(y.size());
    const auto impulse = [&](std::size_t i, const Vec3& velocity) -> const Point& {
      r_y[i] = y[i] - velocity - c_[i];
      sum += r_y[i].squaredNorm();
      return x[i];
    };
    space_.balance(w_, impulse, r_w_);
    for (std::size_t k = 0; k < n_owned_; ++k) {
      r_w_[k] = w_[k] - r_w_[k];
      sum += r_w_[k] * r_w_[k];
    }
    return std::sqrt(sum_over_ranks(comm_, sum) / n_residuals_);
  }

  void prepare(const Scaling& scaling) override {
    h_.resize(scaling.size());
    for (std::size_t i = 0; i < h_.size(); ++i) h_[i] = scaling.inverse_matrix(i);
    space_.assemble(h_);
    if (product_) {
      linear_.use_products(product_.get(), space_.matrix());
    } else {
      linear_.use(space_.matrix());
    }
  }

  bool solve(const Scaling& scaling, const Points& g, const Points& r_y, double tolerance,
             bool from_last, Points& dx) override {
    if (!from_last) dw_.assign(dw_.size(), 0.0);
    const double absolute = tolerance * std::sqrt(n_dofs_);
    // dx from dw: the complementarity equation holds exactly
    const auto impulse = [&](std::size_t i, const Vec3& velocity) -> Point {
      return scaling.solve_scaled(i, g[i]) + scaling.solve(i, r_y[i] - velocity);
    };
    bool solved = true;
    for (int pass = 0; solved && pass <= (linear_.direct() ? kRefinements : 0); ++pass) {
      space_.balance(dw_, impulse, work_);
      momentum_error(work_);
      solved = linear_.solve(rhs_.get(), solution_.get(), absolute);
      const petsc::ConstView change(solution_.get());
      for (std::size_t k = 0; k < n_owned_; ++k) dw_[k] += change[k];
      space_.to_ghosts(dw_);
    }
    dx.resize(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) dx[i] = impulse(i, space_.velocity(i, dw_));
    return solved;
  }

  void advance(double theta) override {
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] += theta * dw_[k];
  }

  const LinearSolver& linear() const override { return linear_; }

 private:
  void make_product() {
    const auto n = static_cast<PetscInt>(n_owned_);
    SCREE_PETSC(
        MatCreateShell(comm_, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, product_.out()));
    SCREE_PETSC(MatShellSetOperation(product_.get(), MATOP_MULT,
                                     reinterpret_cast<void (*)()>(&BodySystem::multiply)));
  }

  /// y = K x, for PETSc: no exception may pass through it.
  static PetscErrorCode multiply(Mat product, Vec x, Vec y) noexcept {
    try {
      BodySystem* self = nullptr;
      SCREE_PETSC(MatShellGetContext(product, &self));
      const petsc::ConstView from(x);
      self->factor_.resize(self->w_.size());
      std::copy(from.data(), from.data() + from.size(), self->factor_.begin());
      self->space_.multiply(self->h_, self->factor_, self->work_);
      std::copy_n(self->work_.begin(), from.size(), petsc::View(y).data());
      return 0;
    } catch (const std::exception& error) {
      return PetscError(PETSC_COMM_SELF, __LINE__, __func__, __FILE__, PETSC_ERR_LIB,
                        PETSC_ERROR_INITIAL, "%s", error.what());
    }
  }

  static BodyRows in_units(BodyRows rows, const Units& units) {
    const double scale = 1.0 / std::sqrt(units.inverse_mass);
    for (std::size_t i = 0; i < rows.n_cones(); ++i) {
      for (std::int32_t e = rows.first[i]; e < rows.first[i + 1]; ++e) {
        double* block = rows.values.data() + BodyRows::kEntrySize * static_cast<std::size_t>(e);
        for (int k = 0; k < kConeRows; ++k) {
          for (int c = 0; c < kBodyDofs; ++c) {
            block[k * kBodyDofs + c] *= scale * units.inverse_t[i][k];
          }
        }
      }
    }
    return rows;
  }

  /// rhs = G^T dx - r_w - dw, which is the residual of the linear system.
  void momentum_error(const Numbers& balance) {
    const petsc::View rhs(rhs_.get());
    for (std::size_t k = 0; k < n_owned_; ++k) rhs[k] = balance[k] - r_w_[k] - dw_[k];
  }

  MPI_Comm comm_;
  BodySpace space_;
  std::vector<Mat3> h_;  ///< (S + reg)^-1
  LinearSolver linear_;
  std::size_t n_owned_;
  Points c_;
  Numbers w_;
  Numbers dw_;
  Numbers r_w_;
  Numbers work_ = Numbers(w_.size(), 0.0);
  Numbers factor_;         ///< of the product, ghosts behind
  petsc::Matrix product_;  ///< K by its products; empty where it is assembled
  petsc::Vector rhs_;
  petsc::Vector solution_;
  double n_residuals_ = 1.0;
  double n_dofs_ = 1.0;
};

}  // namespace

std::unique_ptr<System> make_body_system(const ContactProblem& problem, const Units& units,
                                         const IpmOptions& options) {
  return std::make_unique<BodySystem>(problem, units, options);
}

}  // namespace scree::ipm
