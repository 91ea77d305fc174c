/// The linear systems in the space of the bodies: K = I + G^T (S + R' + reg)^-1 G, summed or by its
/// products.

#include <algorithm>
#include <cmath>
#include <utility>

#include "ipm_block.hpp"
#include "ipm_system.hpp"
#include "ipm_units.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "solver/linear/normal_system.hpp"

namespace scree::ipm {
namespace {

using Numbers = BodySpace::Numbers;

/// Products and diagonal blocks do for what the options ask for, but for a factorisation.
BodySpace::Storage storage_for(const IpmOptions& options) {
  if (options.matrix_free) return BodySpace::Storage::diagonal_blocks;
  const bool products_do = options.linear_solver != LinearSolverName::mumps &&
                           (options.preconditioner == Preconditioner::point_jacobi ||
                            options.preconditioner == Preconditioner::none);
  return products_do ? BodySpace::Storage::whole_if_countable : BodySpace::Storage::whole;
}

class BodySystem final : public System {
 public:
  BodySystem(const ContactProblem& problem, const Units& units, const IpmOptions& options,
             OutOfTime out_of_time)
      : comm_(problem.comm),
        cones_(problem.cones),
        compliance_(compliance_in_units(problem, units)),
        normal_(problem, in_units(problem, units), linear_options(options, std::move(out_of_time)),
                {.symmetric = true, .definite = true, .uniform_blocks = true},
                storage_for(options)),
        space_(normal_.space()),
        n_owned_(space_.n_owned()),
        w_(space_.zeros()),
        dw_(w_),
        r_w_(w_) {
    const auto here = static_cast<double>(cones_.rows() + n_owned_);
    n_residuals_ = std::max(1.0, sum_over_ranks(comm_, here));
    n_dofs_ = std::max(1.0, sum_over_ranks(comm_, static_cast<double>(n_owned_)));
  }

  void set_bias(Points c) override { c_ = std::move(c); }

  /// min |w|^2 + |x|^2 + x^T R' x, y = G w + R' x + c = -x, both lifted into the cone: the momentum
  /// balance holds up to the lift.
  bool start(double shift, Points& x, Points& y) override {
    const Scaling unit = unit_scaling(cones_);
    prepare(unit);
    w_.assign(w_.size(), 0.0);
    r_w_.assign(w_.size(), 0.0);
    dw_.assign(w_.size(), 0.0);
    Points minus_c = c_;
    for (double& value : minus_c) value = -value;
    const Points zero(c_.size(), 0.0);
    // (I + G^T (I + R')^-1 G) w = -G^T (I + R')^-1 c is the system of a step for g = 0, r_y = -c,
    // r_w = 0
    constexpr double kStartTolerance = 1e-2;  // it is only a start
    const bool solved = solve(unit, zero, minus_c, kStartTolerance, false, x);
    w_ = dw_;
    y = x;
    for (double& value : y) value = -value;
    lift(cones_, violation(comm_, cones_, x) + shift, x);
    lift(cones_, violation(comm_, cones_, y) + shift, y);
    return solved;
  }

  double residuals(const Points& x, const Points& y, Points& r_y) override {
    double sum = 0.0;
    r_y.resize(y.size());
    const auto impulse = [&]<SecondOrder Cone>(const Cone& cone, const ConePlace& at,
                                               const cones::Rows<Cone::kDim>& velocity) {
      const auto point = rows_of(cone, &x[at.row]);
      const auto soft = rows_of(cone, &compliance_[at.row]).cwiseProduct(point);
      auto defect = rows_of(cone, &r_y[at.row]);
      defect = rows_of(cone, &y[at.row]) - velocity - soft - rows_of(cone, &c_[at.row]);
      sum += defect.squaredNorm();
      return point;
    };
    space_.balance(w_, impulse, r_w_);
    for (std::size_t k = 0; k < n_owned_; ++k) {
      r_w_[k] = w_[k] - r_w_[k];
      sum += r_w_[k] * r_w_[k];
    }
    return std::sqrt(sum_over_ranks(comm_, sum) / n_residuals_);
  }

  void prepare(const Scaling& scaling) override {
    h_.resize(size_of_blocks(cones_));
    for_each_cone_and_block(cones_, h_.data(),
                            [&]<class Cone>(const Cone& cone, const ConePlace& at, auto block) {
                              if constexpr (cones::kSecondOrder<Cone>) {
                                block = step_block(scaling, cone, at).inverse();
                              }
                            });
    normal_.use(h_);
  }

  bool solve(const Scaling& scaling, const Points& g, const Points& r_y, double tolerance,
             bool from_last, Points& scaled_dx) override {
    if (!from_last) dw_.assign(dw_.size(), 0.0);
    const double absolute = tolerance * std::sqrt(n_dofs_);
    // dx from dw: the complementarity equation holds exactly
    scaled_dx.resize(g.size());
    const auto impulse = [&]<SecondOrder Cone>(const Cone& cone, const ConePlace& at,
                                               const cones::Rows<Cone::kDim>& velocity) {
      const auto solution =
          step_block(scaling, cone, at)
              .solve(rows_of(cone, &g[at.row]), rows_of(cone, &r_y[at.row]) - velocity);
      rows_of(cone, &scaled_dx[at.row]) = solution.scaled;
      return solution.x;
    };
    bool solved = true;
    for (int pass = 0; solved && pass <= (linear().direct() ? kRefinements : 0); ++pass) {
      space_.balance(dw_, impulse, work_);
      // G^T dx - r_w - dw, the residual of the linear system
      double squares = 0.0;
      for (std::size_t k = 0; k < n_owned_; ++k) {
        work_[k] = work_[k] - r_w_[k] - dw_[k];
        squares += work_[k] * work_[k];
      }
      if (pass > 0 && is_refined(comm_, squares, absolute)) {
        return true;  // with dx of dw from the balance
      }
      solved = normal_.solve(work_, absolute, change_);
      for (std::size_t k = 0; k < dw_.size(); ++k) dw_[k] += change_[k];
    }
    for_each_second_order(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      impulse(cone, at, space_.velocity<Cone::kDim>(at.number, dw_));
    });
    return solved;
  }

  void advance(double theta) override {
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] += theta * dw_[k];
  }

  const LinearSolver& linear() const override { return normal_.linear(); }
  std::string note() const override { return normal_.note(); }

 private:
  template <class Cone>
  StepBlock<Cone::kDim> step_block(const Scaling& scaling, const Cone& cone,
                                   const ConePlace& at) const {
    return {scaling.spectrum(cone, at), scaling.reg, rows_of(cone, &compliance_[at.row])};
  }

  static BodyRows in_units(const ContactProblem& problem, const Units& units) {
    BodyRows rows = take_body_rows(problem);
    const double scale = 1.0 / std::sqrt(units.inverse_mass);
    for_each_second_order(problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      const jordan::Vector<Cone::kDim> t = scale * rows_of(cone, &units.inverse_t[at.row]);
      for_each_entry<Cone::kDim>(
          rows.pattern, rows.values, at.number,
          [&](auto block, std::int32_t /*body*/) { block.array().colwise() *= t.array(); });
    });
    return rows;
  }

  MPI_Comm comm_;
  const Cones& cones_;
  Points compliance_;  ///< R'
  NormalSystem normal_;
  BodySpace& space_;
  Numbers h_;  ///< (S + R' + reg)^-1
  std::size_t n_owned_;
  Points c_;
  Numbers w_;
  Numbers dw_;
  Numbers r_w_;
  Numbers work_;
  Numbers change_;
  double n_residuals_ = 1.0;
  double n_dofs_ = 1.0;
};

}  // namespace

std::unique_ptr<System> make_body_system(const ContactProblem& problem, const Units& units,
                                         const IpmOptions& options, OutOfTime out_of_time) {
  return std::make_unique<BodySystem>(problem, units, options, std::move(out_of_time));
}

}  // namespace scree::ipm
