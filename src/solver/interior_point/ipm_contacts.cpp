/// The linear systems in the space of the contacts, for N without bodies: S + reg + N, the
/// compliance in N.

#include <algorithm>
#include <cmath>
#include <utility>

#include "ipm_block.hpp"
#include "ipm_matrix.hpp"

namespace scree::ipm {
namespace {

class ContactSystem final : public System {
 public:
  ContactSystem(const ContactProblem& problem, const Units& units, const IpmOptions& options,
                OutOfTime out_of_time)
      : comm_(problem.comm),
        cones_(problem.cones),
        linear_(
            linear_options(options, std::move(out_of_time)),
            {.symmetric = problem.delassus.symmetric, .definite = false, .uniform_blocks = false}),
        n_(problem, units) {
    const auto here = static_cast<double>(problem.cones.rows());
    n_rows_ = std::max(1.0, sum_over_ranks(comm_, here));
  }

  void set_bias(Points c) override { c_ = std::move(c); }

  /// x dominates c, y = N x + c is lifted into the cone: without this, steps collapse.
  bool start(double shift, Points& x, Points& y) override {
    double largest = shift;
    for_each_second_order(cones_, [&](const auto& cone, const ConePlace& at) {
      largest = std::max(largest, rows_of(cone, &c_[at.row]).norm());
    });
    largest = max_over_ranks(comm_, largest);
    x.assign(c_.size(), 0.0);
    lift(cones_, jordan::kSqrt2 * largest, x);
    n_.multiply(x, y);
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += c_[k];
    lift(cones_, violation(comm_, cones_, y) + largest, y);
    dx_.assign(c_.size(), 0.0);
    return true;
  }

  double residuals(const Points& x, const Points& y, Points& r_y) override {
    n_.multiply(x, r_y);
    double sum = 0.0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      r_y[k] = y[k] - r_y[k] - c_[k];
      sum += r_y[k] * r_y[k];
    }
    return std::sqrt(sum_over_ranks(comm_, sum) / n_rows_);
  }

  void prepare(const Scaling& scaling) override {
    blocks_.clear();
    for_each_second_order(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      const auto block = block_of<Cone::kDim>(scaling.spectrum(cone, at), scaling.reg);
      blocks_.insert(blocks_.end(), block.data(), block.data() + block.size());  // symmetric
    });
    linear_.use(n_.plus(blocks_));
  }

  bool solve(const Scaling& scaling, const Points& g, const Points& r_y, double tolerance,
             bool from_last, Points& scaled_dx) override {
    if (!from_last) dx_.assign(c_.size(), 0.0);
    const double absolute = tolerance * std::sqrt(n_rows_);
    bool solved = true;
    Points image;
    for (int pass = 0; solved && pass <= (linear_.direct() ? kRefinements : 0); ++pass) {
      double squares = 0.0;
      n_.multiply(dx_, image);
      // W (g - W dx) is kept together: both grow with S while their difference does not
      times_w(cones_, scaling, dx_, scaled_);
      for (std::size_t k = 0; k < g.size(); ++k) scaled_[k] = g[k] - scaled_[k];
      times_w(cones_, scaling, scaled_, scaled_);
      for (std::size_t k = 0; k < g.size(); ++k) {
        image[k] = scaled_[k] + r_y[k] - scaling.reg * dx_[k] - image[k];
        squares += image[k] * image[k];
      }
      if (pass > 0 && is_refined(comm_, squares, absolute)) break;
      solved = n_.solve(linear_, image, absolute, image);
      for (std::size_t k = 0; k < g.size(); ++k) dx_[k] += image[k];
    }
    scale_last(scaling, g, r_y, scaled_dx);
    return solved;
  }

  void advance(double /*theta*/) override {}

  const LinearSolver& linear() const override { return linear_; }

 private:
  /// W dx from what the equation of dx says of each cone, with a unit matrix D on both sides, which
  /// is as large as the blocks of N:
  ///
  ///     (S + D) dx = W g + r_y - reg dx - N dx + D dx
  void scale_last(const Scaling& scaling, const Points& g, const Points& r_y, Points& scaled) {
    constexpr double kUnit = 1.0;  // D
    n_.multiply(dx_, scaled_);
    scaled.resize(g.size());
    for_each_second_order(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      using Vector = jordan::Vector<Cone::kDim>;
      const Vector rest = rows_of(cone, &r_y[at.row]) - rows_of(cone, &scaled_[at.row]) +
                          (kUnit - scaling.reg) * rows_of(cone, &dx_[at.row]);
      const StepBlock<Cone::kDim> block(scaling.spectrum(cone, at), kUnit, Vector::Zero());
      rows_of(cone, &scaled[at.row]) = block.solve(rows_of(cone, &g[at.row]), rest).scaled;
    });
  }

  MPI_Comm comm_;
  const Cones& cones_;
  LinearSolver linear_;
  ContactMatrix n_;
  std::vector<double> blocks_;  ///< S + reg, cone after cone
  double n_rows_ = 1.0;
  Points c_;
  Points dx_;
  Points scaled_;  ///< W (g - W dx)
};

}  // namespace

std::unique_ptr<System> make_contact_system(const ContactProblem& problem, const Units& units,
                                            const IpmOptions& options, OutOfTime out_of_time) {
  return std::make_unique<ContactSystem>(problem, units, options, std::move(out_of_time));
}

}  // namespace scree::ipm
