#include "ipm_path.hpp"

#include <algorithm>
#include <cmath>

namespace scree::ipm {
namespace {

constexpr double kShortStep = 1e-3;
constexpr int kShortStepsAllowed = 4;
constexpr int kRestarts = 2;  ///< each with a start ten times as deep

/// One start of the method, from the least-squares point to the observer's word.
class Path {
 public:
  Path(MPI_Comm comm, System& system, const IpmOptions& options)
      : comm_(comm), system_(system), options_(options) {}

  bool begin(double shift, int attempt) {
    short_steps_ = 0;
    at_.attempt = attempt;
    return system_.start(shift, at_.x, at_.y);
  }

  PathEnd run(const std::function<bool(const Iterate&)>& observe) {
    for (;;) {
      at_.infeasibility = system_.residuals(at_.x, at_.y, r_y_);
      at_.alpha = inner_product(comm_, at_.x, at_.y) / cone_rank();
      if (!std::isfinite(at_.alpha) || !std::isfinite(at_.infeasibility)) return PathEnd::diverged;
      if (observe(at_)) return PathEnd::stopped;
      if (!advance()) return solved_ ? PathEnd::stuck : PathEnd::breakdown;
    }
  }

 private:
  double cone_rank() const {
    return std::max(1.0, sum_over_ranks(comm_, 2.0 * static_cast<double>(at_.x.size())));
  }

  /// A factorisation needs much less of it than conjugate gradients.
  double regularisation() const {
    constexpr double kDirectShare = 1e-3;
    return options_.regularisation * (system_.linear().direct() ? kDirectShare : 1.0);
  }

  /// Predictor, corrector, step. @returns false when it leads nowhere.
  bool advance() {
    const bool sound = make_scaling(at_.x, at_.y, regularisation(), scaling_);
    if (min_over_ranks(comm_, sound ? 1 : 0) == 0) return false;
    system_.prepare(scaling_);
    const double tolerance = options_.forcing * std::max(at_.alpha, at_.infeasibility);

    Points g = scaling_.v;
    for (Point& p : g) p = -p;
    if (!direction(g, kPredictorShare * tolerance, false)) return false;
    const double affine = std::min(1.0, max_step(comm_, scaling_.v, dx_, dy_));
    const double sigma = std::pow(1.0 - affine, 3);

    g = corrector_target(scaling_.v, sigma * at_.alpha, dx_, dy_);
    if (!direction(g, tolerance, true)) return false;
    const double fraction = std::clamp(1.0 - at_.alpha, options_.step_fraction, kLongestFraction);
    double theta = std::min(1.0, fraction * max_step(comm_, scaling_.v, dx_, dy_));
    return take(theta);
  }

  /// dx and dy in scaled space. A solve short of its tolerance still gives a direction.
  bool direction(const Points& g, double tolerance, bool from_last) {
    solved_ = system_.solve(scaling_, g, r_y_, tolerance, from_last, dx_) || usable();
    if (!solved_) return false;
    dy_.resize(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
      dx_[i] = scaling_.times_w(i, dx_[i]);
      dy_[i] = g[i] - dx_[i];
    }
    return true;
  }

  bool usable() const {
    const bool sound =
        std::all_of(dx_.begin(), dx_.end(), [](const Point& p) { return p.allFinite(); });
    return !system_.linear().direct() && min_over_ranks(comm_, sound ? 1 : 0) == 1;
  }

  bool take(double theta) {
    constexpr int kRetreats = 20;
    const Iterate from = at_;
    for (int retreat = 0; retreat < kRetreats; ++retreat, theta *= 0.9) {
      for (std::size_t i = 0; i < from.x.size(); ++i) {
        at_.x[i] = from.x[i] + theta * scaling_.times_inverse_w(i, dx_[i]);
        at_.y[i] = from.y[i] + theta * scaling_.times_w(i, dy_[i]);
      }
      if (!all_interior(comm_, at_.x, at_.y)) continue;
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
  System& system_;
  const IpmOptions& options_;
  Iterate at_;
  Points r_y_;
  Points dx_;
  Points dy_;
  Scaling scaling_;
  bool solved_ = true;
  int short_steps_ = 0;
};

}  // namespace

PathEnd follow_path(MPI_Comm comm, System& system, const Points& c, const IpmOptions& options,
                    const std::function<bool(const Iterate&)>& observe) {
  Path path(comm, system, options);
  system.set_bias(c);
  double shift = options.shift;
  PathEnd end = PathEnd::stuck;
  for (int attempt = 0; attempt <= kRestarts; ++attempt, shift *= 10.0) {
    if (!path.begin(shift, attempt) && system.linear().direct()) return PathEnd::breakdown;
    end = path.run(observe);
    if (end == PathEnd::stopped || end == PathEnd::breakdown) break;
  }
  return end;
}

}  // namespace scree::ipm
