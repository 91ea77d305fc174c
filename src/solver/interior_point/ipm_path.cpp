#include "ipm_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::ipm {
namespace {

constexpr double kShortStep = 1e-3;
constexpr int kShortStepsAllowed = 4;
constexpr double kGain = 0.9;         ///< of alpha over its least, below which a step gains
constexpr int kStepsWithoutGain = 3;  ///< then one to the central path alone
constexpr int kRestarts = 2;          ///< each with a start ten times as deep

/// One start of the method, from the least-squares point to the observer's word.
class Path {
 public:
  Path(MPI_Comm comm, const Cones& cones, System& system, const IpmOptions& options)
      : comm_(comm), cones_(cones), system_(system), options_(options) {}

  bool begin(double shift, int attempt) {
    short_steps_ = 0;
    steps_without_gain_ = 0;
    least_alpha_ = std::numeric_limits<double>::infinity();
    at_.attempt = attempt;
    return system_.start(shift, at_.x, at_.y) || may_use_unsolved();
  }

  PathEnd run(const std::function<bool(const Iterate&)>& observe) {
    for (;;) {
      at_.infeasibility = system_.residuals(at_.x, at_.y, r_y_);
      at_.alpha = inner_product(comm_, at_.x, at_.y) / cone_rank();
      if (!std::isfinite(at_.alpha) || !std::isfinite(at_.infeasibility)) return PathEnd::diverged;
      if (observe(at_)) return PathEnd::stopped;
      if (advance()) continue;
      if (!solved_) return PathEnd::breakdown;
      return is_rounding() ? PathEnd::rounding : PathEnd::stalled;
    }
  }

 private:
  double cone_rank() const {
    return std::max(1.0, sum_over_ranks(comm_, 2.0 * static_cast<double>(cones_.count())));
  }

  /// Whether alpha is not far from what rounding x and y makes of it.
  bool is_rounding() const {
    constexpr double kNear = 100.0 * std::numeric_limits<double>::epsilon();
    return at_.alpha * cone_rank() < kNear * product_of_sizes(comm_, cones_, at_.x, at_.y);
  }

  /// A factorisation needs much less of it than conjugate gradients. What is left holds the last
  /// steps up: a thousandth of it took 52 and 55 steps to 1e-9 on two problems of a colony of
  /// 16,384 cells, whose impulses are large, a millionth 40 and 41, none at all 40 and 40.
  double regularisation() const {
    constexpr double kDirectShare = 1e-6;
    return options_.regularisation * (system_.linear().direct() ? kDirectShare : 1.0);
  }

  /// Predictor, corrector, step. @returns false when it leads nowhere.
  bool advance() {
    const bool sound = make_scaling(cones_, at_.x, at_.y, regularisation(), scaling_);
    if (min_over_ranks(comm_, sound ? 1 : 0) == 0) return false;
    system_.prepare(scaling_);
    return find_direction() && take_longest();
  }

  /// Predictor and corrector: dx_ and dy_ in scaled space. @returns false when no solve gives them.
  bool find_direction() {
    const double tolerance = options_.forcing * std::max(at_.alpha, at_.infeasibility);
    Points g = scaling_.v;
    for (double& value : g) value = -value;
    if (!direction(g, kPredictorShare * tolerance, false)) return false;
    if (wants_centring()) {
      std::fill(dx_.begin(), dx_.end(), 0.0);  // nor a second-order term
      g = corrector_target(cones_, scaling_.v, at_.alpha, dx_, dy_);
    } else {
      const double affine = std::min(1.0, max_step(comm_, cones_, scaling_.v, dx_, dy_));
      const double sigma = std::pow(1.0 - affine, 3);
      g = corrector_target(cones_, scaling_.v, sigma * at_.alpha, dx_, dy_);
    }
    return direction(g, tolerance, true);
  }

  /// @returns false when the step leads nowhere.
  bool take_longest() {
    const double fraction = std::clamp(1.0 - at_.alpha, options_.step_fraction, kLongestFraction);
    return take(std::min(1.0, fraction * max_step(comm_, cones_, scaling_.v, dx_, dy_)));
  }

  /// Whether the next step is to go to the central path alone. Far from it Mehrotra's second-order
  /// term, of a predictor that gets nowhere, is larger than what it corrects: steps then may go
  /// around the path for good, and alpha stays.
  bool wants_centring() {
    steps_without_gain_ = at_.alpha < kGain * least_alpha_ ? 0 : steps_without_gain_ + 1;
    least_alpha_ = std::min(least_alpha_, at_.alpha);
    if (steps_without_gain_ < kStepsWithoutGain) return false;
    steps_without_gain_ = 0;
    return true;
  }

  /// dx_ and dy_ in scaled space. A solve short of its tolerance still gives a direction.
  bool direction(const Points& g, double tolerance, bool from_last) {
    solved_ = system_.solve(scaling_, g, r_y_, tolerance, from_last, dx_) || usable();
    if (!solved_) return false;
    dy_.resize(g.size());
    for (std::size_t k = 0; k < g.size(); ++k) dy_[k] = g[k] - dx_[k];
    return true;
  }

  /// Whether what a Krylov method left, which nothing has replaced, is of use. With `strict` only a
  /// method that broke down comes here.
  bool may_use_unsolved() const {
    const LinearSolver& linear = system_.linear();
    return !options_.strict && !linear.direct() && !linear.out_of_time();
  }

  bool usable() const {
    const bool sound =
        std::all_of(dx_.begin(), dx_.end(), [](double value) { return std::isfinite(value); });
    return may_use_unsolved() && min_over_ranks(comm_, sound ? 1 : 0) == 1;
  }

  /// Goes @p theta along dx_ and dy_, which it takes out of scaled space; less where that leaves
  /// the cones.
  bool take(double theta) {
    constexpr int kRetreats = 20;
    const Iterate from = at_;
    times_inverse_w(cones_, scaling_, dx_, dx_);
    times_w(cones_, scaling_, dy_, dy_);
    for (int retreat = 0; retreat < kRetreats; ++retreat, theta *= 0.9) {
      for (std::size_t k = 0; k < from.x.size(); ++k) {
        at_.x[k] = from.x[k] + theta * dx_[k];
        at_.y[k] = from.y[k] + theta * dy_[k];
      }
      if (!all_interior(comm_, cones_, at_.x, at_.y)) continue;
      system_.advance(theta);
      short_steps_ = theta < kShortStep ? short_steps_ + 1 : 0;
      return short_steps_ < kShortStepsAllowed;
    }
    at_ = from;
    return false;
  }

  static constexpr double kLongestFraction = 0.9995;
  /// The predictor only tells how far to aim, and where the corrector's solve starts.
  static constexpr double kPredictorShare = 100.0;

  MPI_Comm comm_;
  const Cones& cones_;
  System& system_;
  const IpmOptions& options_;
  Iterate at_;
  Points r_y_;
  Points dx_;
  Points dy_;
  Scaling scaling_;
  bool solved_ = true;
  int short_steps_ = 0;
  int steps_without_gain_ = 0;  ///< since alpha was last a tenth smaller, or the last centring step
  double least_alpha_ = std::numeric_limits<double>::infinity();
};

}  // namespace

PathEnd follow_path(MPI_Comm comm, const Cones& cones, System& system, Points c,
                    const IpmOptions& options, const std::function<bool(const Iterate&)>& observe) {
  Path path(comm, cones, system, options);
  system.set_bias(std::move(c));
  double shift = options.shift;
  PathEnd end = PathEnd::stalled;
  for (int attempt = 0; attempt <= kRestarts; ++attempt, shift *= 10.0) {
    if (!path.begin(shift, attempt)) return PathEnd::breakdown;
    end = path.run(observe);
    if (end != PathEnd::stalled && end != PathEnd::diverged) break;
  }
  return end;
}

}  // namespace scree::ipm
